"""What programs of an eval print, as reasons quote it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from skillcheck.process import Completed

_SHOWN = 300


def ending(done: Completed) -> str:
    """The end of what a program printed, errors last."""
    printed = (done.stdout[-_SHOWN * 4 :] + done.stderr[-_SHOWN * 4 :]).decode("utf-8", "replace").strip()
    if not printed:
        return "it printed nothing"
    cut = "…" if len(printed) > _SHOWN else ""
    return f"it printed {cut}{printed[-_SHOWN:]!r}"


def last_line(text: str) -> str:
    """The last line, as programs write the one that counts there, as the end of a message; empty if there is none."""
    lines = (line.strip() for line in reversed(text.splitlines()))
    return next((f": {line[:_SHOWN]}" for line in lines if line), "")


def complaint(done: Completed) -> str:
    """The last line that a program wrote to standard error, as `last_line` gives it."""
    return last_line(done.stderr.decode("utf-8", "replace"))


def status(done: Completed) -> str:
    """How a program ended."""
    return f"ended with status {done.status}" if done.status >= 0 else f"was ended by signal {-done.status}"
