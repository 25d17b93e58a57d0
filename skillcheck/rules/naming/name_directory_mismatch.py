"""The name differs from the directory's.

Hosts that look a skill up by its directory refuse it or show another name. Names are compared after Unicode
normalisation (NFKC), since some file systems store decomposed letters.

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

import re
import unicodedata
from typing import TYPE_CHECKING

from skillcheck.diagnostic import Edit, Fix, Problem, Severity
from skillcheck.rules import Context, SkillRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.skill import Skill

_VALID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def check(skill: Skill, _context: Context) -> Iterator[Problem]:
    """Compare the declared name with the directory's."""
    name = skill.string("name")
    if not name or _normal(name) == _normal(skill.folder):
        return
    span = skill.value_span("name")
    title = f"rename to {skill.folder}"
    fix = Fix(title, (Edit(span, skill.folder),)) if _VALID.fullmatch(skill.folder) else None
    message = f"name {name!r} differs from the directory {skill.folder!r}"
    yield Problem(span, message, "give both the same name", fix)


def _normal(name: str) -> str:
    return unicodedata.normalize("NFKC", name)


RULE = SkillRule(__name__, Severity.ERROR, __doc__, check)
