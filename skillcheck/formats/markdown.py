"""For pull requests, wikis and mails: findings as a list, tables as tables, the summary as a list."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from skillcheck.formats import Format, printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.diagnostic import Diagnostic, Related
    from skillcheck.report import Report, Table

_MARKUP = re.compile(
    r"[\\`*<>|&~$]|^[=#[]|^[-+](?=[\s-]|$)|\](?=[(:[])|(?<![^\W_])_|_(?![^\W_])|(?<=:)/(?=/)|(?<=\bwww)\."
)
_NUMBERED = re.compile(r"^\d+(?=[.)](?:\s|$))")
_REFERENCE = re.compile(r"@(?=\w)|#(?=\d)|\bgh-(?=\d)", re.IGNORECASE)
"""Hosts turn these into mentions of people and of issues even where they are escaped."""
_APART = "&#8203;"
"""A blank of no width."""


def render(report: Report, *, colour: bool = False) -> str:
    """The whole report, in GitHub's Markdown."""
    del colour
    parts = (*_findings(report), *(_table(table) for table in report.tables), *_summary(report))
    return "\n\n".join(parts or ("No findings.",)) + "\n"


def _findings(report: Report) -> Iterator[str]:
    if report.diagnostics:
        yield "## Findings\n\n" + "\n".join(map(_finding, report.diagnostics))


def _finding(found: Diagnostic) -> str:
    lines = (
        f"- {_place(found)}: **{found.severity.label}** {plain(found.message)} ({plain(found.rule)})",
        *([f"  {plain(found.help)}"] if found.help else ()),
        *(f"  {_place(each)}: {plain(each.message)}" for each in found.related),
    )
    return "  \n".join(lines)


def _place(found: Diagnostic | Related) -> str:
    return f"{plain(found.path)}:{found.span.line}:{found.span.column}"


def _table(table: Table) -> str:
    head, *rows = (f"| {' | '.join(map(plain, line))} |" for line in (table.columns, *table.rows))
    rule = f"| {' | '.join('---' for _ in table.columns)} |"
    return "\n".join((f"## {plain(table.title)}\n", head, rule, *rows))


def _summary(report: Report) -> Iterator[str]:
    if report.summary:
        lines = (f"{' ' * (len(line) - len(line.lstrip()))}- {plain(line.lstrip())}" for line in report.summary)
        yield "## Summary\n\n" + "\n".join(lines)


def plain(text: str) -> str:
    """A text in which nothing is markup, and nothing links or mentions."""
    line = printable(" ".join(text.splitlines()))
    escaped = _NUMBERED.sub(r"\g<0>\\", _MARKUP.sub(r"\\\g<0>", line))
    return _REFERENCE.sub(rf"\g<0>{_APART}", escaped)


FORMAT = Format("markdown", render)
