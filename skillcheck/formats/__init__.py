"""The contract of a format: a report in, text out. Every other file here is one format and ends in FORMAT."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from skillcheck.errors import UsageError
from skillcheck.registry import discover
from skillcheck.report import Report


@dataclass(frozen=True, slots=True)
class Format:
    """`render` gets the report and whether colour is wanted; its text ends with a line break."""

    name: str
    render: Callable[[Report, bool], str]


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
