"""The description is longer than 1,024 characters.

Hosts refuse it or cut it off, and what stands at its end, often the hand-off to another skill, is lost. Characters are
Unicode code points of the value that YAML gives, without the blanks around it: folding and quotes don't count. The
option `max-characters` sets another limit.

Source: agentskills.io/specification, "description field": 1 to 1,024 characters.

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: >-
  Sorts notes by date, then by author, then by project, and puts notes that nobody opened for a year into an archive.
  Sorts cards by date, then by author, then by project, and puts cards that nobody opened for a year into an archive.
  Sorts lists by date, then by author, then by project, and puts lists that nobody opened for a year into an archive.
  Sorts plans by date, then by author, then by project, and puts plans that nobody opened for a year into an archive.
  Sorts memos by date, then by author, then by project, and puts memos that nobody opened for a year into an archive.
  Sorts faxes by date, then by author, then by project, and puts faxes that nobody opened for a year into an archive.
  Sorts mails by date, then by author, then by project, and puts mails that nobody opened for a year into an archive.
  Sorts chats by date, then by author, then by project, and puts chats that nobody opened for a year into an archive.
  Sorts tapes by date, then by author, then by project, and puts tapes that nobody opened for a year into an archive.
  Sorts scans by date, then by author.
  Use when a folder has grown.
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

    from skillcheck.catalog.skill import Skill

_KEY = "description"
_SHOWN = 30


def check(skill: Skill, context: Context) -> Iterator[Problem]:
    """Count the characters of the parsed value."""
    limit: int = context.options["max-characters"]
    text = skill.description
    if len(text) <= limit:
        return
    line, column = skill.lines.position(_crossing(skill, text[:limit]))
    cut = clipped(text[limit:].lstrip(), _SHOWN)
    message = f"description has {len(text):,} characters, {len(text) - limit:,} more than {limit:,}"
    yield Problem(skill.value_span(_KEY), f"{message}: it ends before {cut!r} (line {line}, column {column})")


def _crossing(skill: Skill, kept: str) -> int:
    """The offset in the source behind the characters that are kept; folding may change the blanks between them."""
    span, text = skill.value_span(_KEY), skill.text
    at, end = skill.lines.offsets(span)
    if text[at] in "|>":
        at = skill.lines.starts[span.line]
    for character in kept:
        if not character.isspace():
            found = text.find(character, at, end)
            at = found + 1 if found >= 0 else at
    return at


RULE = SkillRule(__name__, Severity.ERROR, __doc__, check, options={"max-characters": 1024})
