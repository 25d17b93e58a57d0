"""The tools are not a string with spaces between them.

The specification writes `allowed-tools` as one string with spaces. Lists and commas work in Claude Code and in several
other hosts, hence this is information only; a reader that follows the specification takes `Read,` for a tool.

Commas inside parentheses belong to the tool, as in `Bash(git log --format=%h,%s)`. A value of another type breaks
`field-type`.

Source: agentskills.io/specification, "allowed-tools field" (experimental); agentskills/agentskills, issue 144.

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
allowed-tools: Read, Grep, Bash(git log:*)
---

Sort the notes by date.
````

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
allowed-tools:
  - Read
  - Grep
---

Sort the notes by date.
````

## Good
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
allowed-tools: Read Grep Bash(git log:*)
---

Sort the notes by date.
````
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from skillcheck.diagnostic import Problem, Severity
from skillcheck.rules import Context, SkillRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.skill import Skill

_TOOL = re.compile(r"[^\s,(]+(?:\([^)]*\)?)?|\([^)]*\)?")
_OUTSIDE_PARENTHESES = re.compile(r"\([^)]*\)?|(,)")
_KEY = "allowed-tools"


def check(skill: Skill, _context: Context) -> Iterator[Problem]:
    """Look for a list, or a comma between tools."""
    value = skill.field(_KEY)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        found = "a list"
    elif isinstance(value, str) and any(match[1] for match in _OUTSIDE_PARENTHESES.finditer(value)):
        found = "separated by commas"
    else:
        return
    hint = f"{' '.join(tools(value))!r} would be" if tools(value) else ""
    yield Problem(skill.value_span(_KEY), f"{_KEY} is {found}, not the specification's string with spaces", hint)


def tools(value: Any) -> tuple[str, ...]:
    """The tools of a string with spaces or commas, or of a list; a tool keeps its parentheses."""
    texts = value if isinstance(value, list) else [value]
    return tuple(match[0] for text in texts if isinstance(text, str) for match in _TOOL.finditer(text))


RULE = SkillRule(__name__, Severity.INFO, __doc__, check)
