"""Did you mean: the known word that a mistyped one is nearest to."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

CUTOFF = 0.75
"""Least similarity, 0 to 1 (difflib's ratio), of a near miss."""


def closest(word: str, known: Iterable[str]) -> str | None:
    """The nearest of `known`, compared without case, hyphens and underscores; None if none is near."""
    import difflib  # noqa: PLC0415 - costs 10 ms, and only mistakes need it

    plain = {_plain(candidate): candidate for candidate in sorted(known, reverse=True)}
    found = difflib.get_close_matches(_plain(word), plain, n=1, cutoff=CUTOFF)
    return plain[found[0]] if found else None


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """The end of a message that names an unknown word: the near miss, or else `otherwise`."""
    near = closest(word, known)
    return f"; did you mean {near!r}" if near else otherwise


def unknown(what: str, word: str, known: Collection[str]) -> str:
    """The message for an unknown word, `what` saying what it should name: the near miss, or else all there are."""
    choice = f": choose from {', '.join(known)}"
    return f"unknown {what} {word!r}{did_you_mean(word, known, choice)}"


def _plain(word: str) -> str:
    return word.lower().replace("-", "").replace("_", "")
