"""Fences around what a judge must not obey: a marker that nobody who wrote the data could know."""

from __future__ import annotations

import secrets


def new_fence(*data: str) -> str:
    """A marker of 32 random hex digits that occurs in none of the data."""
    while True:
        fence = secrets.token_hex(16)
        if not any(fence in text for text in data):
            return fence


def fenced(name: str, text: str, fence: str) -> str:
    """The text between two lines that carry its name and the marker."""
    return f"BEGIN {name} {fence}\n{text}\nEND {name} {fence}"
