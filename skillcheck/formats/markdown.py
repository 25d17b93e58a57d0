"""For pull requests, wikis and mails: findings as a list, tables as tables, the summary as a list."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from skillcheck.formats import Format, printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.diagnostic import Diagnostic
    from skillcheck.report import Report, Table

_MARKUP = re.compile(r"[\\`*<>|&~]|^#|\](?=\()|(?<!\w)_|_(?!\w)")


def render(report: Report, *, colour: bool = False) -> str:
    """The whole report, in GitHub's Markdown."""
    del colour
    parts = (*_findings(report), *(_table(table) for table in report.tables), *_summary(report))
    return "\n\n".join(parts or ("No findings.",)) + "\n"


def _findings(report: Report) -> Iterator[str]:
    if report.diagnostics:
        yield "## Findings\n\n" + "\n".join(map(_finding, report.diagnostics))


def _finding(diagnostic: Diagnostic) -> str:
    place = f"{plain(diagnostic.path)}:{diagnostic.span.line}:{diagnostic.span.column}"
    said = f"- {place}: **{diagnostic.severity.label}** {plain(diagnostic.message)} ({diagnostic.rule})"
    return f"{said}  \n  {plain(diagnostic.help)}" if diagnostic.help else said


def _table(table: Table) -> str:
    lines = (table.columns, ("---",) * len(table.columns), *table.rows)
    rows = (f"| {' | '.join(map(plain, line))} |" for line in lines)
    return f"## {plain(table.title)}\n\n" + "\n".join(rows)


def _summary(report: Report) -> Iterator[str]:
    if report.summary:
        lines = (f"{' ' * (len(line) - len(line.lstrip()))}- {plain(line.lstrip())}" for line in report.summary)
        yield "## Summary\n\n" + "\n".join(lines)


def plain(text: str) -> str:
    """A text in which nothing is markup."""
    return _MARKUP.sub(r"\\\g<0>", printable(" ".join(text.splitlines())))


FORMAT = Format("markdown", render)
