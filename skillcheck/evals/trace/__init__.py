"""What an agent did: its output as events, how it ended, and what follows from that."""
