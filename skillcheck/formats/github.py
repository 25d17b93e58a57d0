"""For GitHub Actions: workflow commands that become annotations.

Source: GitHub's "Workflow commands for GitHub Actions", setting a notice, warning or error message. Data escapes
`%`, carriage return and line feed; properties escape `:` and `,` as well (actions/toolkit, core/src/command.ts).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.diagnostic import Severity
from skillcheck.formats import Format, printable, text

if TYPE_CHECKING:
    from skillcheck.diagnostic import Diagnostic
    from skillcheck.report import Report

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(report: Report, *, colour: bool = False) -> str:
    """One command a finding, then the tables and the closing line as plain log text."""
    del colour
    return "".join(_command(d) + "\n" for d in report.diagnostics) + text.tail(report)


def _command(diagnostic: Diagnostic) -> str:
    span = diagnostic.span
    properties = {
        "file": diagnostic.path,
        "line": str(span.line),
        "endLine": str(span.end_line),
        "col": str(max(span.column, 1)),
        "title": diagnostic.rule,
    }
    if span.end_line == span.line and span.end_column > span.column:
        properties["endColumn"] = str(span.end_column)
    written = ",".join(f"{key}={_property(printable(value))}" for key, value in properties.items())
    message = "\n".join(printable(part) for part in (diagnostic.message, diagnostic.help) if part)
    return f"::{_COMMANDS[diagnostic.severity]} {written}::{_data(message)}"


def _data(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")


FORMAT = Format("github", render, "GITHUB_WORKSPACE")
