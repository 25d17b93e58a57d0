"""The contract of a format: a report in, text out. Every other file here is one format and ends in FORMAT."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from skillcheck import registry

if TYPE_CHECKING:
    from skillcheck.report import Report


class Render(Protocol):
    """A report as text that ends with a line break; `colour` is for terminals, and formats may pass it over."""

    def __call__(self, report: Report, *, colour: bool = False) -> str:
        """Render."""


class Format(NamedTuple):
    """One way to print a report; `root` names the environment variable of the folder that its paths are relative to."""

    name: str
    render: Render
    root: str = ""


def named(name: str) -> Format:
    """The format of a name; raises UsageError for an unknown one."""
    return registry.named(__name__, name, "FORMAT", Format, "format")


def printable(text: str) -> str:
    """Control characters escaped, so that no file name or value drives the terminal."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
