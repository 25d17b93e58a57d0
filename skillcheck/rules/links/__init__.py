"""Rules on links and on files that nothing links."""
