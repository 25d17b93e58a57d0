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


def status(done: Completed) -> str:
    """How a program ended."""
    return f"ended with status {done.status}" if done.status >= 0 else f"was ended by signal {-done.status}"
