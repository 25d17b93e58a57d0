"""Where an agent works: fixtures and skills, git, digests, what is hidden, and what keeps it in."""
