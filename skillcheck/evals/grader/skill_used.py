"""The agent read the skill by itself.

`name` is that of another skill than the eval's own. Only an agent that finds skills by itself can pass:
with `--delivery system-prompt` it has no reason to read what it was handed.

````json
{"type": "skill-used", "name": "writing-descriptions"}
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skillcheck.evals.grader import Evidence, Grade, Grader

if TYPE_CHECKING:
    from collections.abc import Mapping

OPTIONS = {
    "type": "object",
    "additionalProperties": False,
    "properties": {"name": {"description": "The skill, if it isn't the eval's own", "type": "string", "minLength": 1}},
}


def grade(options: Mapping[str, Any], evidence: Evidence) -> Grade:
    """Look for the skill among those that were loaded."""
    name, loaded = options.get("name", evidence.skill), evidence.trace.loaded
    if name in loaded:
        return Grade.of(passed=True, reason=f"skill {name!r} was loaded")
    others = f"; loaded were {', '.join(map(repr, sorted(loaded)))}" if loaded else "; no skill was"
    return Grade(passed=False, reason=f"skill {name!r} was not loaded{others}")


GRADER = Grader("skill-used", __doc__, grade, "trace", OPTIONS)
