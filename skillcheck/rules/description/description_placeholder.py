"""The description is a template's text that nobody has replaced.

Generators of skills leave a description such as `TODO: what the skill does`. An agent can't route by it.

Told is a description that begins with a marker of work to do, consists of a template's phrase, or still holds a
bracket to fill in (`[TODO: …]`). The words TODO and TBD within prose are no fault: a skill may be about them.

Source: anthropics/skills, template/SKILL.md and skill-creator's init_skill.py; openai/skills, quick_validate.py.

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: TODO describe what this skill does and when to use it
---

Sort the notes by date.
````

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Replace with description of the skill and when Claude should use it.
---

Sort the notes by date.
````

## Good
````md skills/tidy-todos/SKILL.md
---
name: tidy-todos
description: Sorts TODO comments by age. Use when TODO or TBD notes pile up in the code.
---

Sort the comments by age.
````
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem, Severity, clipped
from skillcheck.rules import Context, SkillRule
from skillcheck.rules.description.empty_description import is_blank

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.skill import Skill

_KEY = "description"
_MAX = 1024
_SHORT = 160
"""Templates leave a line at the most."""
_ORDER = (
    r"(?i)[^\w<{\[]*"
    r"(?:TODO|TB[DA]|FIXME|XXX|lorem|replace|fill|update|edit|change|describe|explain|say|write|summari|to\sbe)"
)
"""How the patterns of `_OPENING` begin: it spares most descriptions the rest."""
_OPENING = r"""(?ixs)[^\w<{\[]*(?:
        (?-i:TODO|TBD|TBA|FIXME|XXX)(?:\W*\Z|\s*[:…](?:\s|\Z)|\s+[-–—]\s|\.{2,}
            |\s+(?:add|complete|describe|description|document|explain|fill|insert|provide|replace|say|summary|this
                  |update|what|write)\b)
        | lorem\s+ipsum\s+dolor
        | (?:replace|fill\s+in|update|edit|change)\s+(?:this|with|me\b|the\s+description)
          (?:\W*\Z|.*\b(?:description|skill|placeholder|text)\b)
        | (?:describe|explain|say|write|summari[sz]e)\s+(?:here\s+)?what\s+(?:this|the|your)\s+skill\b
        | to\s+be\s+(?:added|completed|decided|defined|determined|done|filled\s+in|written)\W*\Z
    )"""  # noqa: RUF001 - dashes as people type them
_WHOLE = r"""(?ixs)\W*(?:
        (?:(?:a|an|add|brief|clear|concise|enter|insert|my|new|one-line|short|skill|some|the|this|write|your)\s+)*
          (?:description|summary|placeholder(?:\s+(?:description|text))?)
          (?:\s+(?:of|for)\s+(?:(?:a|my|new|the|this|what|your)\s+)*skill(?:\s+(?:does|goes\s+here|here))?
            |\s+(?:goes\s+)?here)?
          (?:\W+(?:and\s+)?when\s+(?:to\s+use\s+it|(?:it|the\s+agent)\b.*))?
        | (?:(?:a|an|example|my|new|sample|template|test|this)\s+)*skill
        | \{\{[^}]*\}\} | todo | tbd | tba | fixme | n/?a | none | null | test | untitled | coming\s+soon
        | work\s+in\s+progress | wip | changeme | foo | foo\s+bar
        | what\s+(?:this|the|your)\s+skill\s+does(?:\W+(?:and\s+)?when\s+(?:to\s+use\s+it|(?:it|the\s+agent)\b.*))?
    )?\W*"""
_BRACKET = r"\[(?:TODO|TBD|FIXME|INSERT|FILL)\b[^\[\]]*\]|\[(?i:your|insert|describe)\s[^\[\]]*\]"


def check(skill: Skill, _context: Context) -> Iterator[Problem]:
    """Look for what templates leave behind."""
    text = skill.description
    found = leftover(text)
    if found:
        span = skill.value_span(_KEY) if text.startswith(found) else skill.spot(_KEY, found)
        yield Problem(
            span, f"placeholder {clipped(found)!r} in the description", "say what the skill does and when to use it"
        )


def leftover(text: str) -> str:
    """The part of a description that a template left there; empty if none did."""
    if is_blank(text):
        return ""
    if len(text) <= _SHORT and re.fullmatch(_WHOLE, text):
        return text
    if re.match(_ORDER, text) and re.match(_OPENING, text[:_MAX]):
        return text
    bracket = re.search(_BRACKET, text) if "[" in text else None
    return bracket[0] if bracket else ""


RULE = SkillRule(__name__, Severity.WARNING, __doc__, check)
