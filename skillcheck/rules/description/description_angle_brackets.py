"""The description has text that looks like a tag.

Hosts put descriptions into a prompt between tags of their own, where `<unit>` may open one; claude.ai, the Skills API
and Codex's validator refuse it. Write `UNIT`, `{unit}` or words instead.

Told is tag-like text only: `<unit>`, `</b>`, `Span<T>`, `<file name>`. Comparisons and arrows (`a < b`, `->`, `<=`) are
left alone. Each tag is told once.

Source: platform.claude.com, agent skills best practices; anthropics/skills, quick_validate.py.

## Bad
````md skills/port-service/SKILL.md
---
name: port-service
description: Ports a unit to the new bus. Use when asked to move <unit> over.
---

Move the unit.
````

## Good
````md skills/port-service/SKILL.md
---
name: port-service
description: Ports units where in < 5 or out -> in. Use when asked to move UNIT over.
---

Move the unit.
````
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem, Severity, clipped
from skillcheck.rules import Context, SkillRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.skill import Skill

_KEY = "description"
_TAG = re.compile(
    r"<!--(?:(?!<!--).)*?-->"
    r"|(?<!\w)</?[^\W\d_][\w.:-]*(?:\s+[^\s<>=]+(?:\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s<>]+))?){0,6}\s*/?>"
    r"|(?<=\w)</?[^\W\d_][\w.:-]*(?:,\s*[\w.:-]+)*(?:\[\]|[?*&])?/?>",
    re.DOTALL,
)


def check(skill: Skill, _context: Context) -> Iterator[Problem]:
    """Look for tags in the source of the value, where they have a place."""
    if "<" not in skill.description:
        return
    start, end = skill.lines.offsets(skill.value_span(_KEY))
    told = set()
    for match in _TAG.finditer(skill.text, start, end):
        tag = " ".join(match[0].split())
        if tag not in told:
            told.add(tag)
            yield Problem(
                skill.span(*match.span()), f"tag-like {clipped(tag)!r} in the description", "write it without < and >"
            )


RULE = SkillRule(__name__, Severity.WARNING, __doc__, check)
