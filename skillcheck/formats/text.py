"""For people: one line a finding, what would be right below it, tables, and a closing line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.diagnostic import Severity
from skillcheck.formats import Format, printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.diagnostic import Diagnostic
    from skillcheck.report import Report, Table

_COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.INFO: "36"}


def render(report: Report, *, colour: bool = False) -> str:
    """The whole report."""
    lines = [line for diagnostic in report.diagnostics for line in _finding(diagnostic, colour=colour)]
    return "\n".join((*lines, *([""] if lines else []), tail(report)))


def tail(report: Report) -> str:
    """What stands below the findings: tables, the summary and how many there were."""
    lines = [line for table in report.tables for line in (*_table(table), "")]
    told = report.diagnostics or "skills" in report.metrics or not (report.tables or report.summary)
    closing = (_closing(report),) if told else ()
    return "\n".join((*lines, *map(printable, report.summary), *closing)) + "\n"


def _finding(diagnostic: Diagnostic, *, colour: bool) -> Iterator[str]:
    label = _painted(diagnostic.severity.label, _COLOURS[diagnostic.severity], colour=colour)
    place = f"{printable(diagnostic.path)}:{diagnostic.span.line}:{diagnostic.span.column}"
    yield f"{place}: {label}: {printable(diagnostic.message)} [{diagnostic.rule}]"
    if diagnostic.help:
        yield f"    {printable(diagnostic.help)}"
    for related in diagnostic.related:
        yield f"    {printable(related.path)}:{related.span.line}:{related.span.column}: {printable(related.message)}"


def _painted(text: str, code: str, *, colour: bool) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if colour else text


def _table(table: Table) -> Iterator[str]:
    rows = tuple(tuple(map(printable, row)) for row in (table.columns, *table.rows))
    widths = [max(len(row[i]) for row in rows) for i in range(len(table.columns))]
    yield printable(table.title)
    for row in rows:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _closing(report: Report) -> str:
    counts = ", ".join(_count(n, severity.label) for severity, n in report.counts().items() if n)
    skills = report.metrics.get("skills")
    checked = f"{_count(skills, 'skill')} checked: " if isinstance(skills, int) else ""
    fixable = sum(1 for d in report.diagnostics if d.fix and d.fix.safe)
    hint = f" ({fixable} fixable with `skillcheck lint --fix`)" if fixable else ""
    return f"{checked}{counts or 'no findings'}{hint}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 or noun == "info" else "s")


FORMAT = Format("text", render)
