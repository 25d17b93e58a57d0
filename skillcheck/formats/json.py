"""For machines: see `skillcheck schema report`."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from skillcheck.formats import Format

if TYPE_CHECKING:
    from skillcheck.diagnostic import Diagnostic
    from skillcheck.report import Report
    from skillcheck.span import Span

SCHEMA_VERSION = 1
_UNSAFE = re.compile(r"[\x7f-\x9f\ud800-\udfff]")
"""What drives terminals but is no control character to JSON, and what UTF-8 can't hold (from file names)."""


def render(report: Report, *, colour: bool = False) -> str:
    """The whole report as one JSON object, indented; what is not ASCII is kept, control characters excepted."""
    del colour
    data = {
        "schema_version": SCHEMA_VERSION,
        "diagnostics": [_diagnostic(d) for d in report.diagnostics],
        "summary": {severity.label: count for severity, count in report.counts().items()},
        "metrics": dict(report.metrics),
        "notes": list(report.summary),
        **{name: list(rows) for name, rows in report.records.items()},
    }
    text = json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False)
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"


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
