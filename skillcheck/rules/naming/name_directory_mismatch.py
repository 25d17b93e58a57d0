"""The name differs from the directory's.

Hosts that look a skill up by its directory refuse it or show another name. Names are compared after Unicode
normalisation (NFKC), since some file systems store decomposed letters.

Not told where `name-format` or `field-type` has told it, nor for a SKILL.md at the top of a repository, since a clone
may be called anything.

Source: agentskills.io/specification, "name field"; VS Code does not load such a skill, Claude Code uses the directory.

## Bad
````md skills/tidy-notes/SKILL.md
---
name: note-tidier
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

from skillcheck.diagnostic import Problem, Severity, clipped
from skillcheck.rules import Context, SkillRule
from skillcheck.rules.naming.name_format import SHOWN, as_directory, declared, faults, normal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.skill import Skill


def check(skill: Skill, _context: Context) -> Iterator[Problem]:
    """Compare the declared name with the directory's."""
    name, folder = declared(skill), skill.folder
    if not name or normal(name) == normal(folder) or faults(name) or (skill.path.parent / ".git").exists():
        return
    fix = as_directory(skill)
    hint = "give both the same name" if fix else f"rename the directory to {clipped(name, SHOWN)}"
    message = f"name {clipped(name, SHOWN)!r} differs from the directory {folder!r}"
    yield Problem(skill.value_span("name"), message, hint, fix)


RULE = SkillRule(__name__, Severity.ERROR, __doc__, check)
