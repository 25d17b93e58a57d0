"""A value under `metadata` is not a string.

The specification makes `metadata` a map from strings to strings. Hosts that check it refuse numbers, dates, lists and
mappings; others turn them into text of their own, so that version 1.10 becomes 1.1. Quote a number or a date (`--fix`
does); write a list as one string. A mapping or a list is told once, not for what is inside it.

`internal: true` is left alone: the `skills` command of vercel-labs reads it as a boolean.

Source: agentskills.io/specification, "metadata field".

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
metadata:
  version: 1.10
---

Sort the notes by date.
````

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
metadata:
  tags: [notes, files]
---

Sort the notes by date.
````

## Good
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
metadata:
  version: "1.10"
  tags: notes, files
---

Sort the notes by date.
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem, Severity, clipped
from skillcheck.located.yaml import kind
from skillcheck.rules import Context, SkillRule
from skillcheck.rules.frontmatter.field_type import quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.frontmatter import Frontmatter
    from skillcheck.catalog.skill import Skill
    from skillcheck.span import Span


def check(skill: Skill, _context: Context) -> Iterator[Problem]:
    """Look at the values, and the keys, of one level."""
    frontmatter, values = skill.frontmatter, skill.field("metadata")
    if frontmatter is None or not isinstance(values, dict):
        return
    for key in values:
        if not isinstance(key, str):
            span, source = frontmatter.key_span("metadata", key), frontmatter.key_source("metadata", key)
            yield Problem(
                span, f"metadata key {clipped(source)} is {kind(key)}; it must be a string", "put the key in quotes"
            )
        found = frontmatter.kind("metadata", key)
        if found == "a string" or (key == "internal" and found == "a boolean"):
            continue
        fix = quote(frontmatter, "metadata", key)
        must = f": {clipped(frontmatter.source('metadata', key))} must be quoted" if fix else "; it must be a string"
        message = f"metadata.{clipped(str(key))} is {found}{must}"
        yield Problem(_place(frontmatter, key), message, "metadata maps strings to strings", fix)


def _place(frontmatter: Frontmatter, key: object) -> Span:
    """The value, or the key where nothing or only a line break stands between it and the value."""
    above, span = frontmatter.key_span("metadata", key), frontmatter.value_span("metadata", key)
    is_beside = span.line == above.line and frontmatter.source("metadata", key)
    return span if is_beside else above


RULE = SkillRule(__name__, Severity.WARNING, __doc__, check)
