"""The description is empty.

An agent decides by the description alone whether it opens a skill. A blank one, or one that YAML reads as no value
(`null`, `~`, nothing but a comment), gives it nothing to go by, and hosts leave the skill out.

Source: agentskills.io/specification, "description field": 1 to 1,024 characters.

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: ""
---

Sort the notes by date.
````

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: # sorts notes by date
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

from skillcheck.diagnostic import Problem, Severity, clipped
from skillcheck.rules import Context, SkillRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.frontmatter import Frontmatter
    from skillcheck.catalog.skill import Skill

_KEY = "description"


def check(skill: Skill, _context: Context) -> Iterator[Problem]:
    """Look for a character that can be seen."""
    frontmatter = skill.frontmatter
    if frontmatter is None or _KEY not in frontmatter.data:
        return
    value = frontmatter.data[_KEY]
    if value is None:
        yield _nothing(skill, frontmatter)
    elif isinstance(value, str) and is_blank(value):
        message = f"description is {'blank' if value else 'empty'}"
        yield Problem(skill.value_span(_KEY), message, "say what the skill does and when to use it")


def is_blank(text: str) -> bool:
    """Whether a text has no character that can be seen."""
    return not any(c.isprintable() and not c.isspace() for c in text)


def _nothing(skill: Skill, frontmatter: Frontmatter) -> Problem:
    source = frontmatter.source(_KEY)
    if source:
        message = f"description is empty: YAML reads {clipped(source)} as no value"
        return Problem(skill.value_span(_KEY), message, "say what the skill does and when to use it")
    span = frontmatter.key_span(_KEY)
    rest = skill.lines.line(span.end_line)[span.end_column :].strip()
    if rest.startswith("#"):
        return Problem(
            span, "description is empty: YAML takes text after '#' for a comment", "the value must be quoted"
        )
    return Problem(span, "description is empty", "say what the skill does and when to use it")


RULE = SkillRule(__name__, Severity.ERROR, __doc__, check)
