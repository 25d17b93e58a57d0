"""Nothing stands below the frontmatter.

The agent loads the skill and learns nothing; Cline refuses it. Blanks and comments count as nothing. A file without
frontmatter is left to the rule for that.

Source: agentskills.io/specification, "Body content"; docs.cline.bot, "Skills".

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

<!-- to be written -->
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

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.skill import Skill


def check(skill: Skill, _context: Context) -> Iterator[Problem]:
    """Look for anything below the frontmatter."""
    start = skill.body.start
    text = skill.text[start:].lstrip()
    if start and (not text or (text.startswith("<!--") and not skill.body.uncommented()[start:].strip())):
        yield Problem(skill.span(start, start), "the body is empty", "write the instructions below the frontmatter")


RULE = SkillRule(__name__, Severity.WARNING, __doc__, check)
