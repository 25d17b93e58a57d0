"""A section that this catalog asks of every skill is missing.

Off until settings name sections, since the open specification asks for none. Each entry of `sections` is a heading's
text, or a list of aliases of which any will do, the first being the one that is reported; `## ` before it pins the
level. `exempt` names skills that need none. `preset = "agent-skills"` asks for the five sections of that catalog.

Headings count as CommonMark has them (ATX with or without closing hashes, indented up to three spaces, setext) and
are compared exactly: what stands in a fence, an indented block, a comment, a quotation or behind a bullet is no
section. A file without frontmatter, or without anything in it, is left to the rules for that.

Source: your own settings; for the preset, "skill-anatomy" of addyosmani/agent-skills.

## Bad
````toml .skillcheck.toml
[rules.required-section]
sections = ["## Steps", ["Checks", "Verification"]]
````
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

## Steps

Sort the notes by date, as in

~~~md
## Checks
~~~
````

## Good
````toml .skillcheck.toml
[rules.required-section]
sections = ["## Steps", ["Checks", "Verification"]]
exempt = ["read-notes"]
````
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Steps
-----

Sort the notes by date.

### Verification ###

The first is the newest.
````
````md skills/read-notes/SKILL.md
---
name: read-notes
description: Reads a note aloud. Use when the user wants to listen to one.
---

Read it.
````
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem, Severity
from skillcheck.errors import UsageError
from skillcheck.rules import Context, SkillRule
from skillcheck.span import START
from skillcheck.suggest import closest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.markdown import Heading
    from skillcheck.catalog.skill import Skill

_ENTRY = re.compile(r"(?:(#{1,6})[ \t]+)?(.*?)(?:[ \t]+#+)?[ \t]*")


def check(skill: Skill, context: Context) -> Iterator[Problem]:
    """Compare the headings with the list."""
    wanted = context.options["sections"]
    if not wanted or {skill.name, skill.folder} & set(context.options["exempt"]) or not skill.body.start:
        return
    headings = [heading for heading in skill.body.headings if not heading.nested]
    for entry in wanted:
        aliases = [_alias(alias) for alias in (entry if isinstance(entry, list) else [entry])]
        if not any(_fits(alias, heading) for alias in aliases for heading in headings):
            marks, text = aliases[0]
            yield Problem(
                START, f"required section {f'{marks} {text}'.strip()!r} is missing", _hint(aliases, headings, skill)
            )


def _alias(entry: object) -> tuple[str, str]:
    """Hashes, which may be none, and text of an entry."""
    match = _ENTRY.fullmatch(entry.strip()) if isinstance(entry, str) else None
    if match is None or not match[2].strip("#"):
        message = f"rules.required-section.sections holds headings and lists of them, not {entry!r}"
        raise UsageError(message)
    return match[1] or "", match[2]


def _fits(alias: tuple[str, str], heading: Heading) -> bool:
    marks, text = alias
    return " ".join(heading.text.split()) == " ".join(text.split()) and len(marks) in {0, heading.level}


def _hint(aliases: list[tuple[str, str]], headings: list[Heading], skill: Skill) -> str:
    """Name the heading that was perhaps meant, by its line."""
    texts = {heading.text: heading for heading in reversed(headings)}
    near = next((found for _, text in aliases if (found := closest(text, texts))), None)
    if near is None:
        others = ", ".join(repr(f"{marks} {text}".strip()) for marks, text in aliases[1:])
        return f"{others} would do as well" if others else ""
    heading = texts[near]
    line = skill.span(heading.start, heading.end).line
    return f"line {line} has {'#' * heading.level + ' ' + near!r}"


RULE = SkillRule(__name__, Severity.ERROR, __doc__, check, options={"sections": [], "exempt": []})
