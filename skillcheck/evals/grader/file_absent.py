"""Nothing is there: no file, no folder, no link.

`path` is a path or a glob, as for file-exists.

````json
{"type": "file-absent", "path": "**/*.tmp"}
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skillcheck.evals.grader import Evidence, Grade, Grader
from skillcheck.evals.workspace.workfiles import describe, find, listed, look

if TYPE_CHECKING:
    from collections.abc import Mapping

OPTIONS = {
    "type": "object",
    "required": ["path"],
    "additionalProperties": False,
    "properties": {"path": {"description": "A path or a glob", "type": "string", "format": "workspace-path"}},
}


def grade(options: Mapping[str, Any], evidence: Evidence) -> Grade:
    """Look at the path, then for what fits it."""
    path = options["path"]
    what = look(evidence.work, path)
    found = {path: what} if what else find(evidence.work, path)
    if not found:
        return Grade.of(passed=True, reason=describe(path, ""))
    return Grade(passed=False, reason=listed(describe(name, seen) for name, seen in found.items()))


GRADER = Grader("file-absent", __doc__, grade, "files", OPTIONS)
