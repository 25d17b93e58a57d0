"""What a run would do: settings, the evals it takes, what it needs of a machine, the keys of its trials."""
