"""The name has letters beyond a to z.

The specification speaks of Unicode letters in one place and of a to z in another. Several hosts accept a to z, 0 to 9
and hyphens only, so such a skill doesn't load everywhere. Names that mix Latin with look-alike letters of another
script are told with the letter, since a reader can't tell `а` (U+0430) from `a`.

A name that `name-format` tells isn't told here again, unless it mixes scripts.

Source: agentskills.io/specification, "name field"; agentskills/agentskills, issue 560; unicode.org/reports/tr39.

## Bad
````md skills/整理笔记/SKILL.md
---
name: 整理笔记
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
"""  # noqa: RUF002 - the look-alike is the example

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem, Severity, clipped
from skillcheck.rules import Context, SkillRule
from skillcheck.rules.naming.name_format import SHOWN, declared, faults, normal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.skill import Skill

_LOOK_ALIKES = ("ARMENIAN", "CHEROKEE", "COPTIC", "CYRILLIC", "GREEK")


def check(skill: Skill, _context: Context) -> Iterator[Problem]:
    """Look for letters of other scripts, and for scripts that look like Latin among Latin letters."""
    name = declared(skill)
    if not name or name.isascii():
        return
    hint = "some hosts accept only a to z, 0 to 9 and hyphens"
    stranger = _stranger(name)
    if stranger:
        code = f"U+{ord(stranger):04X} {unicodedata.name(stranger)}"
        message = f"non-ASCII name {clipped(name, SHOWN)!r} mixes scripts: {stranger!r} is {code} among Latin letters"
        yield Problem(skill.spot("name", stranger), message, hint)
    elif not faults(name):
        first = next(c for c in normal(name) + name if not c.isascii())
        yield Problem(
            skill.value_span("name"), f"non-ASCII name {clipped(name, SHOWN)!r}: {first!r} is U+{ord(first):04X}", hint
        )


def _stranger(name: str) -> str | None:
    """The first letter that looks like a Latin one, in a name with Latin letters."""
    scripts = {c: unicodedata.name(c, "").partition(" ")[0] for c in name if c.isalpha()}
    if "LATIN" not in scripts.values():
        return None
    return next((c for c, script in scripts.items() if script in _LOOK_ALIKES), None)


RULE = SkillRule(__name__, Severity.WARNING, __doc__, check)
