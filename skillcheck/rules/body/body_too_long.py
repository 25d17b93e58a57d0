"""The body has more lines than an agent should load at once.

All of it enters the context as soon as the skill is chosen. The specification asks for less than about 500 lines:
move what is needed now and then into files under `references/` and link them. Lines are counted from the first
to the last that isn't blank; exactly `max-lines` pass.

Source: agentskills.io/specification, "Progressive disclosure".

## Bad
````toml .skillcheck.toml
[rules.body-too-long]
max-lines = 2
````
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.

Then make a list.
````

## Good
````toml .skillcheck.toml
[rules.body-too-long]
max-lines = 3
````
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.

Then make a list.
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem, Severity
from skillcheck.rules import Context, SkillRule
from skillcheck.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.skill import Skill


def check(skill: Skill, context: Context) -> Iterator[Problem]:
    """Count lines."""
    limit = context.options["max-lines"]
    first = skill.lines.position(len(skill.text) - len(skill.text[skill.body.start :].lstrip()))[0]
    last = skill.lines.position(len(skill.text.rstrip()))[0]
    count = last - first + 1
    if count > limit:
        spot = Span(first + limit, 1, first + limit, 1)
        message = f"the body has {count} lines, more than {limit}"
        yield Problem(spot, message, "move what is needed now and then into files that SKILL.md links")


RULE = SkillRule(__name__, Severity.WARNING, __doc__, check, options={"max-lines": 500})
