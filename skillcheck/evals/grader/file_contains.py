r"""A file holds a text, or something that a regular expression matches.

`path` is one path in the workspace, no glob. Either `text` is looked for as it is written, or `regex` as Python's
`re` reads it, with `^` and `$` at every line. With `"not": true` the file must be there and not hold it. Bytes
that are no UTF-8 count as U+FFFD. Of a file the first 16 MiB are read; what lies behind them can't be seen, so a longer
file passes no `not`.

````json
{"type": "file-contains", "path": "CHANGELOG.md", "regex": "^## 1\\.4\\b"}
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skillcheck.diagnostic import clipped
from skillcheck.evals.grader import Evidence, Grade, Grader
from skillcheck.evals.pattern import search
from skillcheck.evals.workspace.workfiles import quoted, read

if TYPE_CHECKING:
    from collections.abc import Mapping

OPTIONS = {
    "type": "object",
    "required": ["path"],
    "oneOf": [{"required": ["text"]}, {"required": ["regex"]}],
    "additionalProperties": False,
    "properties": {
        "path": {"description": "A path in the workspace", "type": "string", "format": "workspace-path"},
        "text": {"description": "What the file holds", "type": "string", "minLength": 1},
        "regex": {"description": "What the file matches", "type": "string", "minLength": 1, "format": "python-regex"},
        "not": {"description": "The file must not hold it", "type": "boolean", "default": False},
    },
}


def grade(options: Mapping[str, Any], evidence: Evidence) -> Grade:
    """Read the file and look for what is wanted."""
    content = read(evidence.work, options["path"])
    if content.problem:
        return Grade(passed=False, reason=content.problem)
    text = content.data.decode("utf-8-sig", "replace")
    found = _find(options, text)
    wanted = clipped(options.get("text") or options["regex"])
    if found:
        line = text.count("\n", 0, found[0]) + 1
        reason = f"{quoted(options['path'])} holds {clipped(text[slice(*found)])!r} in line {line}"
    else:
        reason = f"{quoted(options['path'])} holds no {wanted!r}{content.cut}"
    passed = not found and not content.cut if options.get("not") else bool(found)
    return Grade.of(passed, reason)


def _find(options: Mapping[str, Any], text: str) -> tuple[int, int] | None:
    if "regex" in options:
        return search(options["regex"], [text])[0]
    start = text.find(options["text"])
    return None if start < 0 else (start, start + len(options["text"]))


GRADER = Grader("file-contains", __doc__, grade, "files", OPTIONS)
