"""The contract of a format: a report in, text out. Every other file here is one format and ends in FORMAT."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from skillcheck.errors import UsageError
from skillcheck.registry import find, names

if TYPE_CHECKING:
    from skillcheck.report import Report


class Render(Protocol):
    """A report as text that ends with a line break; `colour` is for terminals, and formats may pass it over."""

    def __call__(self, report: Report, *, colour: bool = False) -> str:
        """Render."""


class Format(NamedTuple):
    """One way to print a report."""

    name: str
    render: Render


def named(name: str) -> Format:
    """The format of a name; raises UsageError for an unknown one."""
    found = find(__name__, name, "FORMAT")
    if not isinstance(found, Format):
        message = f"unknown format {name!r}: choose from {', '.join(names(__name__))}"
        raise UsageError(message)
    return found
