"""Rules on names of skills, their folders and files."""
