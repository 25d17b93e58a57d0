"""For machines: see `skillcheck schema report`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from skillcheck.formats import Format

if TYPE_CHECKING:
    from skillcheck.diagnostic import Diagnostic
    from skillcheck.report import Report
    from skillcheck.span import Span

SCHEMA_VERSION = 1


def render(report: Report, *, colour: bool = False) -> str:
    """The whole report as one JSON object, indented, with everything that is not ASCII kept."""
    del colour
    data = {
        "schema_version": SCHEMA_VERSION,
        "diagnostics": [_diagnostic(d) for d in report.diagnostics],
        "summary": {severity.label: count for severity, count in report.counts().items()},
        "metrics": dict(report.metrics),
        **{name: list(rows) for name, rows in report.records.items()},
    }
    return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _diagnostic(diagnostic: Diagnostic) -> dict[str, Any]:
    fix = diagnostic.fix
    return {
        "path": diagnostic.path,
        **_span(diagnostic.span),
        "rule": diagnostic.rule,
        "severity": diagnostic.severity.label,
        "message": diagnostic.message,
        "help": diagnostic.help,
        "fix": {
            "title": fix.title,
            "safe": fix.safe,
            "edits": [{**_span(edit.span), "text": edit.text} for edit in fix.edits],
        }
        if fix
        else None,
        "related": [{"path": r.path, **_span(r.span), "message": r.message} for r in diagnostic.related],
    }


def _span(span: Span) -> dict[str, int]:
    return {"line": span.line, "column": span.column, "end_line": span.end_line, "end_column": span.end_column}


FORMAT = Format("json", render)
