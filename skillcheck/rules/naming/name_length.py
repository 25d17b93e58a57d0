"""The name is longer than 64 characters.

Hosts refuse longer names. Characters are counted after Unicode normalisation (NFKC), as the reference validator does.

Source: agentskills.io/specification, "name field"; agentskills/agentskills, skills-ref.

## Bad
````md skills/sort-the-notes-of-a-large-team-by-date-and-then-by-author-and-project/SKILL.md
---
name: sort-the-notes-of-a-large-team-by-date-and-then-by-author-and-project
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````

## Good
````md skills/sort-team-notes/SKILL.md
---
name: sort-team-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem, Severity
from skillcheck.rules import Context, SkillRule
from skillcheck.rules.naming.name_format import MAX, declared, normal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.skill import Skill


def check(skill: Skill, _context: Context) -> Iterator[Problem]:
    """Count the characters."""
    length = len(normal(declared(skill) or ""))
    if length > MAX:
        message = f"name has {length} characters, {length - MAX} more than {MAX}"
        yield Problem(skill.value_span("name"), message, "shorten it and rename the directory alike")


RULE = SkillRule(__name__, Severity.ERROR, __doc__, check)
