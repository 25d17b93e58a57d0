"""What commands that run agents have in common at a terminal."""
