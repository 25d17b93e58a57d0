"""Rules on descriptions, which are all that a host shows a model before it chooses."""
