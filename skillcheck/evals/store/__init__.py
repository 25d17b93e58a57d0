"""What is kept of trials, how it is read again, proved and inspected."""
