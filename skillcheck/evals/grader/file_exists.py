"""A file is there.

`path` is relative to the workspace and may be a glob, as a shell reads it: `*` stays inside one folder, `**` spans
folders, and neither stands for a leading dot, so that hidden folders have to be named. A path that exists as it is
written is taken as it is. A link inside the workspace counts as what it leads to; folders, pipes and links that lead
outside are no files.

````json
{"type": "file-exists", "path": "docs/**/*.md"}
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skillcheck.evals.grader import Evidence, Grade, Grader
from skillcheck.evals.workspace.workfiles import FILE, describe, find, listed, look

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
    files = [name for name, seen in found.items() if seen == FILE]
    told = listed(describe(name, found[name]) for name in files or found)
    return Grade.of(bool(files), told or describe(path, ""))


GRADER = Grader("file-exists", __doc__, grade, "files", OPTIONS)
