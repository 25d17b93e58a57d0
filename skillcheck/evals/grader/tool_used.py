"""The agent called a tool, so many times.

`tool` is a tool's name as the harness tells it, or a glob such as `mcp__github__*`. With `input-regex` only calls
count in which one of the input's values matches (as in file-contains; what is no text is looked at as JSON). There must
be `min` calls, 1 by default, and no more than `max`, if given: `"max": 0` alone says never.

````json
{"type": "tool-used", "tool": "Bash", "input-regex": "git (commit|push)", "max": 0}
````
"""

from __future__ import annotations

import json
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from skillcheck.diagnostic import clipped
from skillcheck.evals.grader import Evidence, Grade, Grader
from skillcheck.evals.pattern import search
from skillcheck.evals.workspace.workfiles import READ_LIMIT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from skillcheck.evals.trace.trace import ToolCall

OPTIONS = {
    "type": "object",
    "required": ["tool"],
    "additionalProperties": False,
    "properties": {
        "tool": {"description": "A name or a glob", "type": "string", "minLength": 1},
        "input-regex": {"description": "What a value of the input matches", "type": "string", "format": "python-regex"},
        "min": {"description": "The least number of calls", "type": "integer", "minimum": 0, "default": 1},
        "max": {"description": "The greatest number of calls", "type": "integer", "minimum": 0},
    },
}
_SHOWN = 120


def grade(options: Mapping[str, Any], evidence: Evidence) -> Grade:
    """Count the calls."""
    calls = [call for call in evidence.trace.calls if fnmatchcase(call.name, options["tool"])]
    if "input-regex" in options:
        calls = _matching(calls, options["input-regex"])
    most = options.get("max", float("inf"))
    least = options.get("min", min(1, most))
    matching = f" with {clipped(options['input-regex'])!r} in the input" if "input-regex" in options else ""
    first = f"; the first has {clipped(json.dumps(calls[0].input, ensure_ascii=False), _SHOWN)}" if calls else ""
    reason = f"calls of {options['tool']!r}{matching}: {len(calls)}, wanted {_range(least, most)}{first}"
    return Grade.of(least <= len(calls) <= most, reason)


def _range(least: int, most: float) -> str:
    if least == most:
        return str(least)
    return f"at least {least}" if most == float("inf") else f"{least} to {most}"


def _matching(calls: Sequence[ToolCall], pattern: str) -> list[ToolCall]:
    """The calls in whose input the pattern is found."""
    values = [(call, _text(value)) for call in calls for value in call.input.values()]
    found = search(pattern, [text for _, text in values])
    hits = {id(call) for (call, _), spot in zip(values, found, strict=True) if spot}
    return [call for call in calls if id(call) in hits]


def _text(value: Any) -> str:
    return (value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))[:READ_LIMIT]


GRADER = Grader("tool-used", __doc__, grade, "trace", OPTIONS)
