"""A relative link leads out of the repository.

Nobody else who checks the catalog out has that file, and skills are copied without what lies around them. Links to
sibling skills and to files that skills of one repository share are fine. Outside any repository, the folder of the
settings, or the one that holds the skills, is the limit.

Source: agentskills.io/specification, "File references".

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort as [the style guide](../../../../../../../../../../../../../../style/guide.md) says.
````

## Good
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort as [the style guide](../../style.md) says.
````
````md style.md
Newest first.
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem, Severity
from skillcheck.rules import Context, SkillRule
from skillcheck.rules.links import State, targets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.skill import Skill


def check(skill: Skill, context: Context) -> Iterator[Problem]:
    """Report links that climb too high."""
    for target in targets(skill, context):
        if target.state is State.OUTSIDE:
            message = f"link target {target.path!r} lies outside the repository"
            yield Problem(target.span, message, "copy the file into the repository, or link to a URL")


RULE = SkillRule(__name__, Severity.ERROR, __doc__, check)
