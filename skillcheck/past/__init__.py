"""What can be told of runs that are stored: one by one, over time, against each other, put together, handed out."""
