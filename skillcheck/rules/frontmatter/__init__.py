"""Rules on the YAML between the fences."""
