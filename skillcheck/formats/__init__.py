"""The contract of a format: a report in, text out. Every other file here is one format and ends in FORMAT."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Protocol

from skillcheck.errors import UsageError
from skillcheck.registry import discover

if TYPE_CHECKING:
    from collections.abc import Mapping

    from skillcheck.report import Report


class Render(Protocol):
    """A report as text that ends with a line break; `colour` is for terminals, and formats may pass it over."""

    def __call__(self, report: Report, *, colour: bool = False) -> str:
        """Render."""


@dataclass(frozen=True, slots=True)
class Format:
    """One way to print a report."""

    name: str
    render: Render


@cache
def formats() -> Mapping[str, Format]:
    """All formats by name."""
    return {f.name: f for f in discover(__name__, "FORMAT")}


def named(name: str) -> Format:
    """The format of a name; raises UsageError for an unknown one."""
    if name not in formats():
        message = f"unknown format {name!r}: choose from {', '.join(formats())}"
        raise UsageError(message)
    return formats()[name]
