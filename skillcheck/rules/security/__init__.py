"""Rules on what could harm whoever runs the skill."""
