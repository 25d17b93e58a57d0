"""What we tell the user: where, how bad, what is wrong, and how to mend it."""

from __future__ import annotations

import enum
import os
from typing import TYPE_CHECKING, NamedTuple

from skillcheck.span import BOM, Lines, Span

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


class Severity(enum.IntEnum):
    """How bad; ordered, so `severity >= Severity.WARNING` works. OFF is a rule that isn't run."""

    OFF = 0
    INFO = 1
    WARNING = 2
    ERROR = 3

    @property
    def label(self) -> str:
        """The lower-case word that users read and write."""
        return self.name.lower()


class Edit(NamedTuple):
    """Replace `span` by `text`."""

    span: Span
    text: str


class Fix(NamedTuple):
    """One repair of the file that its problem stands in; `safe` means that it may be applied without asking."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool = True


class Related(NamedTuple):
    """Another place that belongs to a problem; `path` is posix, relative as in `Diagnostic`."""

    path: str
    span: Span
    message: str


class Problem(NamedTuple):
    """What a check says; rule, severity and path are stamped on by whoever ran it.

    `message` says what is wrong with the value quoted, `help` what would be right.
    """

    span: Span
    message: str
    help: str = ""
    fix: Fix | None = None
    related: tuple[Related, ...] = ()


class Diagnostic(NamedTuple):
    """What the user sees. `path` is posix and relative to where the user stands."""

    path: str
    span: Span
    rule: str
    severity: Severity
    message: str
    help: str = ""
    fix: Fix | None = None
    related: tuple[Related, ...] = ()

    @property
    def order(self) -> tuple[str, Span, str, str]:
        """The key by which reports are sorted."""
        return self.path, self.span, self.rule, self.message


def relative(path: str | Path, folder: str | Path) -> str:
    """A path as users read it: posix, relative to a folder; the whole path where that is on another drive."""
    try:
        found = os.path.relpath(path, folder)
    except ValueError:  # Windows: no way leads from drive to drive
        found = str(path)
    return found.replace(os.sep, "/")


def clipped(text: str, limit: int = 40) -> str:
    """A text as messages quote it: on one line, cut off after `limit` code points."""
    line = " ".join(text.split()) if "\n" in text or "\r" in text else text
    return line if len(line) <= limit else line[:limit].rstrip() + "…"


def apply(text: str, edits: Iterable[Edit]) -> str:
    """Apply edits to `text`, which may begin with a byte-order mark; what is inserted at one place keeps its order.

    Raises ValueError when two edits overlap.
    """
    bom = text.startswith(BOM)
    lines = Lines.of(text.removeprefix(BOM))
    spots = sorted(
        ((*lines.offsets(edit.span), order, edit) for order, edit in enumerate(edits)),
        key=lambda spot: spot[:3],
        reverse=True,
    )
    limit = len(text) + 1
    for start, end, _, edit in spots:
        if end + bom > limit:
            message = f"edits overlap at line {edit.span.line}"
            raise ValueError(message)
        text, limit = text[: start + bom] + edit.text + text[end + bom :], start + bom
    return text
