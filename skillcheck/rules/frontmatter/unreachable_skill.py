"""Neither the user nor the model can invoke the skill.

`user-invocable: false` takes a skill out of the user's menu and `disable-model-invocation: true` out of the model's
list. With both, nobody reaches it.

Source: code.claude.com/docs/en/skills, "Control who invokes a skill".

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
user-invocable: false
disable-model-invocation: true
---

Sort the notes by date.
````

## Good
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
disable-model-invocation: true
---

Sort the notes by date.
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem, Severity
from skillcheck.rules import Context, SkillRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.skill import Skill

_SPELLINGS = ("user-invocable", "user-invokable")


def check(skill: Skill, _context: Context) -> Iterator[Problem]:
    """Compare the two switches."""
    closed = next((key for key in _SPELLINGS if skill.field(key) is False), None)
    if closed and skill.is_hidden:
        message = f"nobody can invoke the skill: {closed} is false and disable-model-invocation is true"
        yield Problem(skill.value_span(closed), message, "take one of the two out")


RULE = SkillRule(__name__, Severity.WARNING, __doc__, check)
