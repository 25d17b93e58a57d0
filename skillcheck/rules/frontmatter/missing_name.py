"""The frontmatter has no name.

Hosts list and load a skill by its `name`; most leave a skill without one out. Claude Code falls back to the directory's
name. A key that is nearly `name` is told here and not as an unknown field. `--fix` writes the directory's name if that
is a valid one.

A name that is there but empty or no string breaks `field-type`.

Source: agentskills.io/specification, "name field": required.

## Bad
````md skills/tidy-notes/SKILL.md
---
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````

## Bad
````md skills/tidy-notes/SKILL.md
---
Name: tidy-notes
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

from skillcheck.catalog.frontmatter import scalar
from skillcheck.diagnostic import Edit, Fix, Problem, Severity
from skillcheck.rules import Context, SkillRule
from skillcheck.rules.frontmatter.unknown_field import mistyped, rename
from skillcheck.rules.naming.name_format import is_portable
from skillcheck.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.frontmatter import Frontmatter
    from skillcheck.catalog.skill import Skill


def check(skill: Skill, _context: Context) -> Iterator[Problem]:
    """Look for the key."""
    frontmatter = skill.frontmatter
    if frontmatter is None or "name" in frontmatter.data:
        return
    key = mistyped(frontmatter, "name")
    if key is not None:
        message = f"no name: {key!r} is another field; did you mean 'name'"
        yield Problem(
            frontmatter.key_span(key), message, "keys are read as they are written", rename(frontmatter, key, "name")
        )
        return
    hint = f"write name: {scalar(skill.folder)}, as the directory is called"
    yield Problem(opening(frontmatter), "no name in the frontmatter", hint, _insert(skill, frontmatter))


def opening(frontmatter: Frontmatter) -> Span:
    """Where the fence above the frontmatter stands."""
    line = frontmatter.span.line - 1
    return Span(line, 1, line, 4)


def _insert(skill: Skill, frontmatter: Frontmatter) -> Fix | None:
    root = frontmatter.value_span()
    if not is_portable(skill.folder) or frontmatter.source().startswith("{"):
        return None
    line = frontmatter.span.line
    newline = "\r\n" if skill.text[skill.lines.starts[line - 1] - 2 :].startswith("\r\n") else "\n"
    text = f"{' ' * (root.column - 1)}name: {scalar(skill.folder)}{newline}"
    return Fix(f"add name: {skill.folder}", (Edit(Span(line, 1, line, 1), text),))


RULE = SkillRule(__name__, Severity.ERROR, __doc__, check)
