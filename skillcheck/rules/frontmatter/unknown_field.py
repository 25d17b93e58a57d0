"""A field of the frontmatter is known to no host.

Hosts pass over what they don't know, so a mistyped field does nothing and nobody says so; claude.ai and the Skills API
refuse the upload. Known are the fields of the open specification and what any host's documentation adds, as of
2026-11-30: Claude Code, Codex, Copilot, Cursor, Devin, Hermes, OpenClaw, OpenHands, Roo. A near miss is told with what
was meant. A catalog's own facts belong under `metadata`; fields of a host of your own go into the option `known`.

Source: agentskills.io/specification, "Frontmatter"; code.claude.com/docs/en/skills, "Frontmatter reference".

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
licence: MIT
---

Sort the notes by date.
````

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
reviewed-by: the notes desk
---

Sort the notes by date.
````

## Good
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
license: MIT
argument-hint: "[folder]"
metadata:
  reviewed-by: the notes desk
---

Sort the notes by date.
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.diagnostic import Edit, Fix, Problem, Severity, clipped
from skillcheck.rules import Context, SkillRule
from skillcheck.suggest import closest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.frontmatter import Frontmatter
    from skillcheck.catalog.skill import Skill

SPECIFIED = frozenset({"name", "description", "license", "compatibility", "metadata", "allowed-tools"})
"""agentskills.io/specification, read 2026-11-30."""

_CLAUDE_CODE = (
    "when_to_use", "argument-hint", "arguments", "disable-model-invocation", "user-invocable", "disallowed-tools",
    "model", "effort", "context", "agent", "paths", "hooks", "shell", "version",
)  # fmt: skip
_COPILOT = ("user-invokable",)
_DEVIN = ("subagent", "permissions", "triggers")
_HERMES = ("author", "platforms", "required_environment_variables")
_OPENCLAW = ("homepage", "command-dispatch", "command-tool", "command-arg-mode")
_ROO = ("modeSlugs",)

KNOWN = SPECIFIED.union(_CLAUDE_CODE, _COPILOT, _DEVIN, _HERMES, _OPENCLAW, _ROO)
"""With what the documentation of hosts adds, read 2026-11-30."""

_MEANT = {"desc": "description", "globs": "paths", "lisence": "license", "tools": "allowed-tools"}
_REQUIRED = ("name", "description")


def check(skill: Skill, context: Context) -> Iterator[Problem]:
    """Compare the keys at the top with those that some host knows."""
    frontmatter = skill.frontmatter
    if frontmatter is None or KNOWN.issuperset(frontmatter.data):
        return
    known = KNOWN.union(context.options["known"])
    told = {mistyped(frontmatter, field) for field in _REQUIRED if field not in frontmatter.data}
    for key in frontmatter.data:
        if key not in known and key not in told:
            yield _problem(frontmatter, key, known)


def mistyped(frontmatter: Frontmatter, field: str) -> str | None:
    """The first key that no host knows and that is nearly `field`."""
    keys = (key for key in frontmatter.data if isinstance(key, str) and key not in KNOWN)
    return next((key for key in keys if _MEANT.get(key) == field or closest(key, (field,))), None)


def rename(frontmatter: Frontmatter, key: str, field: str) -> Fix | None:
    """Write `field` for `key`; safe where they differ by case alone, none where the field is there already."""
    if field in frontmatter.data:
        return None
    return Fix(f"rename to {field}", (Edit(frontmatter.key_span(key), field),), safe=key.lower() == field)


def _problem(frontmatter: Frontmatter, key: object, known: frozenset[str]) -> Problem:
    span = frontmatter.key_span(key)
    near = _MEANT.get(key) or closest(key, known) if isinstance(key, str) else None
    name = key if isinstance(key, str) else frontmatter.key_source(key)
    if near is None:
        return Problem(
            span, f"unknown field {clipped(name)!r}", "no host reads it; facts of your own belong under metadata"
        )
    message = f"unknown field {clipped(name)!r}; did you mean {near!r}"
    return Problem(span, message, "no host reads it as it is written", rename(frontmatter, name, near))


RULE = SkillRule(__name__, Severity.WARNING, __doc__, check, options={"known": []})
