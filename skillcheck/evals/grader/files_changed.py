"""The agent changed these files and no others.

Made, changed and removed files count, the staged skill and what git ignores do not. Each must fit one of the globs in
`only`; with an empty list nothing may change. For each glob in `at-least` some file must have changed. Globs are read
as for file-exists: `**` stands for no `.github`.

````json
{"type": "files-changed", "only": ["src/**", "CHANGELOG.md"], "at-least": ["CHANGELOG.md"]}
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skillcheck.evals.grader import Evidence, Grade, Grader
from skillcheck.evals.workspace.workfiles import fits, listed, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

GLOBS = {"type": "array", "items": {"type": "string", "format": "workspace-path"}}
OPTIONS = {
    "type": "object",
    "required": ["only"],
    "additionalProperties": False,
    "properties": {
        "only": {"description": "Globs of what may change", **GLOBS},
        "at-least": {"description": "Globs of what must change", **GLOBS},
    },
}


def grade(options: Mapping[str, Any], evidence: Evidence) -> Grade:
    """Compare what changed with what may and what must."""
    changed = sorted(evidence.changed)
    extra = [path for path in changed if not any(fits(path, glob) for glob in options["only"])]
    missing = [glob for glob in options.get("at-least", ()) if not any(fits(path, glob) for path in changed)]
    reasons = []
    if extra:
        reasons.append(f"changed though it may not be: {_told(extra, evidence)}")
    if missing:
        reasons.append(f"nothing changed that fits {listed(map(quoted, missing))}")
    reasons = reasons or [f"changed: {_told(changed, evidence)}" if changed else "nothing changed"]
    return Grade.of(not extra and not missing, "; ".join(reasons))


def _told(paths: list[str], evidence: Evidence) -> str:
    return listed(f"{quoted(path)} ({evidence.changed[path]})" for path in paths)


GRADER = Grader("files-changed", __doc__, grade, "files", OPTIONS)
