"""A heading has nothing below it.

Often the text was meant to come later, or it slipped below the next heading. A heading of a lower level counts as
content, a comment or a rule does not. Headings in quotations or behind bullets open no section.

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

## Steps

Sort the notes by date.

## Checks

<!-- to be written -->
````

## Good
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

# Tidy notes

## Steps

Sort the notes by date.
````
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem, Severity
from skillcheck.rules import Context, SkillRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.skill import Skill

_MAYBE_EMPTY = re.compile(r"\s*(?:\Z|<!--|[-*_])")
_RULE = re.compile(r"^[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t]*$", re.MULTILINE)


def check(skill: Skill, _context: Context) -> Iterator[Problem]:
    """Look between each heading and the next of the same level or above; without frontmatter, its end is a heading."""
    if not skill.body.start:
        return
    headings = [heading for heading in skill.body.headings if not heading.nested]
    plain = ""
    for index, heading in enumerate(headings):
        following = headings[index + 1] if index + 1 < len(headings) else None
        if following and following.level > heading.level:
            continue
        end = following.start if following else len(skill.text)
        if _MAYBE_EMPTY.match(skill.text, heading.end, end):  # most sections are done here
            plain = plain or skill.body.uncommented()
            if _RULE.sub("", plain[heading.end : end]).strip():
                continue
            message = f"section {heading.text!r} is empty"
            yield Problem(skill.span(heading.start, heading.end), message, "write it, or remove the heading")


RULE = SkillRule(__name__, Severity.INFO, __doc__, check)
