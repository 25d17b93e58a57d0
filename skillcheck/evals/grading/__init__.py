"""Verdicts on what an agent did: checks, the rubric of a judge, the explanation."""
