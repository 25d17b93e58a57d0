"""The frontmatter has no description.

An agent decides by the `description` alone whether it opens a skill; hosts leave a skill without one out. A key that is
nearly `description` is told here and not as an unknown field.

A description that is there but blank breaks `empty-description`.

Source: agentskills.io/specification, "description field": required.

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
---

Sort the notes by date.
````

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
desciption: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````

## Good
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem, Severity
from skillcheck.rules import Context, SkillRule
from skillcheck.rules.frontmatter.missing_name import opening
from skillcheck.rules.frontmatter.unknown_field import mistyped, rename

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.skill import Skill


def check(skill: Skill, _context: Context) -> Iterator[Problem]:
    """Look for the key."""
    frontmatter = skill.frontmatter
    if frontmatter is None or "description" in frontmatter.data:
        return
    key = mistyped(frontmatter, "description")
    if key is None:
        hint = "add description: what the skill does and when to use it"
        yield Problem(opening(frontmatter), "no description in the frontmatter", hint)
        return
    message = f"no description: {key!r} is another field; did you mean 'description'"
    fix = rename(frontmatter, key, "description")
    yield Problem(frontmatter.key_span(key), message, "keys are read as they are written", fix)


RULE = SkillRule(__name__, Severity.ERROR, __doc__, check)
