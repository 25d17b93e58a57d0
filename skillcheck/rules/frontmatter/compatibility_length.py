"""The compatibility is blank, or longer than 500 characters.

`compatibility` tells in a sentence what a skill needs: a product, packages, the network. It is optional, and most
skills need none; where it is there, it has 1 to 500 characters. Uploads with a longer one are refused.

Source: agentskills.io/specification, "compatibility field".

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
compatibility: ""
---

Sort the notes by date.
````

## Good
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
compatibility: Needs Python 3.11 or later
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

_MAX = 500


def check(skill: Skill, _context: Context) -> Iterator[Problem]:
    """Count the characters."""
    value = skill.field("compatibility")
    if not isinstance(value, str):
        return
    length = len(value.strip())
    if length == 0:
        yield Problem(
            skill.value_span("compatibility"), "compatibility is blank", "say what is needed, or leave it out"
        )
    elif length > _MAX:
        message = f"compatibility has {length:,} characters, {length - _MAX:,} more than {_MAX}"
        yield Problem(skill.value_span("compatibility"), message, "move the details to the body")


RULE = SkillRule(__name__, Severity.ERROR, __doc__, check)
