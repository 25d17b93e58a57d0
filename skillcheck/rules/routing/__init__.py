"""Rules on what the router makes of the prompts."""
