"""The skill file is not called SKILL.md.

Hosts look for exactly `SKILL.md`. Another case works on macOS and Windows, whose file systems don't tell them apart,
and the skill vanishes on Linux. The file's content is checked all the same. Rename it with `git mv`, in two steps on a
file system that ignores case.

Source: agentskills.io/specification, "Directory structure".

## Bad
````md skills/tidy-notes/skill.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
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

from skillcheck.catalog.discover import SKILL_FILE
from skillcheck.diagnostic import Problem, Severity
from skillcheck.rules import Context, SkillRule
from skillcheck.span import START

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.skill import Skill


def check(skill: Skill, _context: Context) -> Iterator[Problem]:
    """Compare the spelling."""
    found = skill.path.name
    if found != SKILL_FILE:
        yield Problem(START, f"the file must be named {SKILL_FILE}; found {found!r}", f"git mv {found} {SKILL_FILE}")


RULE = SkillRule(__name__, Severity.ERROR, __doc__, check)
