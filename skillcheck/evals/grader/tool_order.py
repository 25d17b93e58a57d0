"""The agent called these tools in this order.

`tools` are names or globs, as in tool-used. Other calls may come between, before and after.

````json
{"type": "tool-order", "tools": ["Read", "Edit", "Bash"]}
````
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from skillcheck.evals.grader import Evidence, Grade, Grader
from skillcheck.evals.workspace.workfiles import listed

if TYPE_CHECKING:
    from collections.abc import Mapping

OPTIONS = {
    "type": "object",
    "required": ["tools"],
    "additionalProperties": False,
    "properties": {
        "tools": {
            "description": "Names or globs, in order",
            "type": "array",
            "minItems": 2,
            "items": {"type": "string", "minLength": 1},
        }
    },
}


def grade(options: Mapping[str, Any], evidence: Evidence) -> Grade:
    """Look for one after the other."""
    names = [call.name for call in evidence.trace.calls]
    place = 0
    told: list[str] = []
    for tool in options["tools"]:
        hits = (index for index in range(place, len(names)) if fnmatchcase(names[index], tool))
        found = next(hits, None)
        if found is None:
            before = f" after {', '.join(told)}" if told else ""
            return Grade(
                passed=False, reason=f"no call of {tool!r}{before}; the calls: {listed(map(repr, names)) or 'none'}"
            )
        told.append(f"{names[found]!r} (call {found + 1})")
        place = found + 1
    return Grade.of(passed=True, reason=f"called in this order: {', '.join(told)}")


GRADER = Grader("tool-order", __doc__, grade, "trace", OPTIONS)
