"""Trials as they are run: one by one, all of a plan, here or elsewhere, and graded again."""
