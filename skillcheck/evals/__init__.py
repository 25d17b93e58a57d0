"""Tier 3: run an agent in a throwaway workspace, keep what it did, grade it."""
