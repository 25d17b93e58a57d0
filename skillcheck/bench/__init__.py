"""Benchmarks: tasks in SkillsBench's two layouts, how one is run, and what its verifier says."""
