"""Rules on case files."""
