"""Rules on skills among each other and on how the catalog is laid out."""
