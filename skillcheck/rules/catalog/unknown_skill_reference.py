"""The text sends the agent to a skill that the catalog doesn't have.

Mostly the skill was renamed, split or removed. Only explicit forms count, with the name in backticks: the `x` skill,
`x` and `y` skills, skill `x`, in the body and in the description. A bare name in backticks may be anything, so it is
left alone; so are code blocks and comments, skills that are yet to be made ("create a `x` skill") or may be absent
("if the `x` skill is available"), placeholders such as `my-skill`, and words about skills such as "skill `name`". A
link to a sibling's SKILL.md is broken-link's business.

`plugin:name` belongs to another plug-in and isn't looked up, unless the prefix is the name in this catalog's own
`.claude-plugin/plugin.json`. Slash commands of the catalog may be called skills, as Claude Code does. `external` lists
the names of skills that come from elsewhere.

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date. Then use the `merge-note` skill on those of one day.
````

````md skills/merge-notes/SKILL.md
---
name: merge-notes
description: Merges two notes. Use when two notes tell the same thing.
---

Merge the notes.
````

## Good
````toml .skillcheck.toml
[rules.unknown-skill-reference]
external = ["print-notes"]
````

````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date. Then use the `merge-notes` skill on those of one day, or the `print-notes` skill.
Run `sort-notes` first, and follow `office:archive` skill conventions.
````

````md skills/merge-notes/SKILL.md
---
name: merge-notes
description: Merges two notes. Use when two notes tell the same thing.
---

Merge the notes.
````
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from skillcheck.diagnostic import Edit, Fix, Problem, Severity
from skillcheck.rules import Context, SkillRule
from skillcheck.suggest import closest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.skill import Skill

_NAME = r"(?<!`)`(?:[\w.-]+:)?[^\W_](?:-?[^\W_])*`(?!`)"
_MARKED = rf"[*_]{{0,3}}{_NAME}[*_]{{0,3}}"
_LIST = rf"{_MARKED}(?:(?:\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+|\s*/\s*)(?:the\s+)?{_MARKED})*"
_NO_OTHER_NOUN = (
    r"(?![-`]|\s+(?:levels?|sets?|gaps?|trees?|types?|tools?|fields?|keys?|ids?|formats?|categor\w+|conventions?|"
    r"names?|permissions?|commands?|marketplaces?|packages?|plug-?ins?)\b)"
)
_BEFORE = rf"{_LIST}\s+(?:agent\s+)?[Ss]kills?\b{_NO_OTHER_NOUN}"
_AFTER = (
    rf"\b[Ss]kills?:?\s+{_LIST}(?!\s+(?:fields?|keys?|attributes?|propert\w+|parameters?|flags?|options?|director\w+|"
    r"folders?|files?|tools?|commands?|sections?|scripts?|agents?|subagents?|frontmatter|values?)\b)"
)
_HYPOTHETICAL = (
    r"(?i)(?:\b(?:a|an|no|new|another|any|each|every|such|own|old|former|hypothetical|fictional|imaginary|"
    r"creat\w+|writ\w+|add|adds|adding|build\w*|generat\w+|scaffold\w*|name[ds]?|call(?:ed)?|renam\w+|install\w*|"
    r"remov\w+|delet\w+|replac\w+|deprecat\w+)|"
    r"\b(?:creat\w+|writ\w+|build|building|generat\w+|scaffold\w*|renam\w+|install\w*|remov\w+|delet\w+)\s+the)\s*\Z"
)
_MAYBE_ABSENT = (
    r"(?i)\s+(?:(?:isn.t|aren.t|wasn.t)\b|(?:is|are|was|were)\s+(?:also\s+)?(?:available|installed|present|loaded|enabled|"
    r"not\b|missing|unavailable)|(?:does\s+not|doesn't)\s+exist|\(if\s|,?\s+if\s+(?:it\s+is\s+|it's\s+|you\s+have\s+)?"
    r"(?:available|installed|present))"
)
_PLACEHOLDER = (
    r"(?:my|your|the|this|that|some|any|other|another|example|sample|demo|dummy|new|old)-.*|skill-?name|name-of-.*|"
    r"(?:.*-)?(?:foo|bar|baz|xyz|abc)(?:-.*)?|x|y|z|a|b|c|n|skills?|name|description|license|compatibility|metadata|"
    r"allowed-tools|true|false|null|none"
)
"""These are compiled when they are first needed: most skills name no other."""
_LOOK_BACK = 40
_WINDOW = 400
"""How far from the word "skill" its names are looked for, in code points; patterns over whole files are slow."""


def check(skill: Skill, context: Context) -> Iterator[Problem]:
    """Look up each name that is called a skill."""
    catalog = context.catalog
    external = frozenset(map(str, context.options["external"]))
    seen = set()
    for start, end in _mentions(skill):
        name = skill.text[start:end]
        if name in catalog.folders or name in external or start in seen:
            continue
        if not _is_unknown(name, catalog.known | external, context) or not _is_prose(skill, start):
            continue
        if all(command.stem != name for command in catalog.commands):
            seen.add(start)
            yield _problem(skill, start, end, name, context)


def _is_prose(skill: Skill, at: int) -> bool:
    """Whether an offset lies in the description, or in the body outside code blocks and comments."""
    body = skill.body
    if at < body.start:
        first, last = skill.lines.offsets(skill.value_span("description"))
        return bool(skill.description) and first <= at < last
    hidden = [(block.start, block.end) for block in body.code] + [(note.start, note.end) for note in body.comments()]
    return not any(start <= at < end for start, end in hidden)


def _mentions(skill: Skill) -> Iterator[tuple[int, int]]:
    """Where names stand that are called skills, without backticks."""
    text = skill.text
    for begin, end in _windows(text):
        for pattern in (_BEFORE, _AFTER):
            for match in re.compile(pattern).finditer(text, begin, end):
                before = text[max(0, match.start() - _LOOK_BACK) : match.start()].rstrip("*_")
                after = text[match.end() : match.end() + _LOOK_BACK]
                if re.search(_HYPOTHETICAL, before) or re.match(_MAYBE_ABSENT, after):
                    continue
                for each in re.finditer(_NAME, match[0]):
                    yield match.start() + each.start() + 1, match.start() + each.end() - 1


def _windows(text: str) -> Iterator[tuple[int, int]]:
    """The stretches around the word "skill" that have a backtick in them, merged where they touch."""
    begin = end = 0
    at = text.find("kill")
    while at >= 0:
        if at - _WINDOW > end:
            if "`" in text[begin:end]:
                yield begin, end
            begin = at - _WINDOW
        end = min(at + _WINDOW, len(text))
        at = text.find("kill", at + 4)
    if "`" in text[begin:end]:
        yield begin, end


def _is_unknown(name: str, known: frozenset[str], context: Context) -> bool:
    prefix, colon, rest = name.rpartition(":")
    if name in known or (rest or name) in known:
        return False
    if colon and prefix != _plugin(context):
        return False
    plain = rest or name
    if re.fullmatch(_PLACEHOLDER, plain):
        return False
    return plain == plain.lower() or closest(plain, known) is not None


def _plugin(context: Context) -> str | None:
    """The name of the plug-in that the catalog is."""
    catalog = context.catalog
    text = catalog.files.read(catalog.config.root / ".claude-plugin" / "plugin.json")
    if text is None:
        return None
    import json  # noqa: PLC0415 - few catalogs are plug-ins

    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    name = data.get("name") if isinstance(data, dict) else None
    return name if isinstance(name, str) else None


def _problem(skill: Skill, start: int, end: int, name: str, context: Context) -> Problem:
    prefix, colon, rest = name.rpartition(":")
    near = closest(rest, context.catalog.names)
    span = skill.span(start, end)
    message = f"no skill {name!r} in this catalog" + (f"; did you mean {near!r}" if near else "")
    hint = "name a skill of this catalog, or list it under `external` if it comes from elsewhere"
    fix = Fix(f"replace by {near}", (Edit(span, prefix + colon + near),), safe=False) if near else None
    return Problem(span, message, hint, fix)


RULE = SkillRule(__name__, Severity.WARNING, __doc__, check, options={"external": []})
