"""Rules on comments that take findings back."""
