"""The name has characters that names don't have.

A name is made of lower-case letters and digits, with single hyphens between them. Hosts use it as a command and as a
directory; some refuse anything else. There is one finding for a name, however many things are wrong with it, and
`name-directory-mismatch` adds none. `--fix` writes the directory's name where that is a valid one.

Letters of other scripts pass here, since the specification contradicts itself about them; see `non-ascii-name`.

Source: agentskills.io/specification, "name field".

## Bad
````md skills/tidy-notes/SKILL.md
---
name: Tidy_Notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````

## Bad
````md skills/tidy--notes/SKILL.md
---
name: tidy--notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````

## Good
````md skills/tidy-notes-2/SKILL.md
---
name: tidy-notes-2
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from skillcheck.catalog.frontmatter import scalar
from skillcheck.diagnostic import Edit, Fix, Problem, Severity, clipped
from skillcheck.rules import Context, SkillRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.skill import Skill

MAX = 64
"""How many characters a name may have (agentskills.io/specification)."""

SHOWN = 80
"""How much of a name messages quote, in code points."""

_PLAIN = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_SAID = 5


def check(skill: Skill, _context: Context) -> Iterator[Problem]:
    """Collect what is wrong with the name."""
    frontmatter, name = skill.frontmatter, declared(skill)
    if frontmatter is None or name is None:
        return
    span = skill.value_span("name")
    wrong = faults(name)
    if not name:
        yield Problem(span, "name is empty", "write the name of the directory", as_directory(skill))
    elif wrong:
        message = f"name {clipped(name, SHOWN)!r} must {' and must '.join(wrong)}"
        yield Problem(
            span, message, "lower-case letters and digits, with single hyphens between them", as_directory(skill)
        )


def as_directory(skill: Skill) -> Fix | None:
    """Give the name the directory's spelling, if that is a valid name."""
    if not is_portable(skill.folder):
        return None
    span = skill.value_span("name")
    blank = " " if span[:2] == span[2:] else ""
    return Fix(f"rename to {skill.folder}", (Edit(span, blank + scalar(skill.folder)),))


def is_portable(name: str) -> bool:
    """Whether every host accepts a name."""
    return len(name) <= MAX and bool(_PLAIN.fullmatch(name))


def declared(skill: Skill) -> str | None:
    """The name if it is a string in every YAML, without blanks around it; None otherwise, which other rules tell."""
    frontmatter = skill.frontmatter
    if frontmatter is None or frontmatter.kind("name") != "a string":
        return None
    return skill.string("name")


def faults(name: str) -> list[str]:
    """What a name must be or must not have, in words; letters of any script are fine."""
    name = normal(name)
    if _PLAIN.fullmatch(name):
        return []
    found = ["be lower case"] if name != name.lower() else []
    strange = dict.fromkeys(c for c in name if c != "-" and unicodedata.category(c)[0] not in "LNM")
    if strange:
        found.append("not contain " + ", ".join(map(repr, list(strange)[:_SAID])))
    if name.startswith("-"):
        found.append("not begin with a hyphen")
    if name.endswith("-"):
        found.append("not end with a hyphen")
    if "--" in name.strip("-"):
        found.append("not have two hyphens in a row")
    return found


def normal(name: str) -> str:
    """A name as names are compared: file systems may store decomposed letters (NFKC)."""
    return name if name.isascii() else unicodedata.normalize("NFKC", name)


RULE = SkillRule(__name__, Severity.ERROR, __doc__, check)
