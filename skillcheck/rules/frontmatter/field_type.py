"""A field has a value of the wrong type.

YAML decides types by looks: 404 is a number, `on` a boolean, 2026-01-31 a date and `null` nothing, unless they are in
quotes. Hosts refuse the skill, crash or show something else. Values that YAML 1.1 and 1.2 read as different types, such
as 1e3, 08 and `yes`, are told as well, since hosts use readers of both. `--fix` adds or removes the quotes.

Looked at are the specification's fields, the booleans and a few words of hosts' own; the form of `metadata` is checked
here and its values by `metadata-value`. A tool list as a YAML list of strings is fine. An optional field without a
value counts as absent, and a description without one breaks `empty-description`.

Source: agentskills.io/specification, "Frontmatter"; code.claude.com/docs/en/skills, "Frontmatter reference".

## Bad
````md skills/404/SKILL.md
---
name: 404
description: Explains missing pages. Use when a link leads nowhere.
---

Ask for the address first.
````

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
user-invocable: "false"
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
  - Bash: git
---

Sort the notes by date.
````

## Good
````md skills/404/SKILL.md
---
name: "404"
description: Explains missing pages. Use when a link leads nowhere.
user-invocable: false
allowed-tools: Read Bash(git:*)
---

Ask for the address first.
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.catalog.frontmatter import in_quotes
from skillcheck.diagnostic import Edit, Fix, Problem, Severity, clipped
from skillcheck.rules import Context, SkillRule
from skillcheck.rules.naming.name_format import as_directory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.frontmatter import Frontmatter
    from skillcheck.catalog.skill import Skill

_STRINGS = ("name", "description", "license", "compatibility", "when_to_use", "model", "agent", "context", "shell")
_BOOLEANS = ("disable-model-invocation", "user-invocable", "user-invokable", "subagent")
_MAPPINGS = ("metadata", "hooks", "permissions")
_TOOLS = ("allowed-tools", "disallowed-tools")
_LISTS = frozenset({"a list", "a mapping"})
_SAID = {"true": "true", "yes": "true", "on": "true", "false": "false", "no": "false", "off": "false"}
_WORDS = frozenset({"yes", "no", "on", "off"})


def check(skill: Skill, _context: Context) -> Iterator[Problem]:
    """Compare each field's type with what the field takes."""
    frontmatter = skill.frontmatter
    if frontmatter is None:
        return
    for key, value in frontmatter.data.items():
        if value is None:
            if key == "name":
                yield _empty_name(skill, frontmatter)
        elif key in _STRINGS:
            yield from _string(frontmatter, key)
        elif key in _BOOLEANS:
            yield from _boolean(frontmatter, key)
        elif key in _TOOLS:
            yield from _tools(frontmatter, key)
        elif key in _MAPPINGS and not isinstance(value, dict):
            found = frontmatter.kind(key)
            yield Problem(frontmatter.value_span(key), f"{key} is {found}; a mapping of keys to values was expected")


def quote(frontmatter: Frontmatter, *path: object) -> Fix | None:
    """Put a scalar that is written without quotes into quotes."""
    if not frontmatter.is_plain(*path) or not frontmatter.source(*path):
        return None
    return Fix("quote the value", (Edit(frontmatter.value_span(*path), in_quotes(frontmatter.source(*path))),))


def _empty_name(skill: Skill, frontmatter: Frontmatter) -> Problem:
    source = frontmatter.source("name")
    if not source:
        return Problem(
            frontmatter.key_span("name"), "name is empty", "write the name of the directory", as_directory(skill)
        )
    span, message = frontmatter.value_span("name"), f"name is empty: YAML reads {clipped(source)} as no value"
    if source.lower() != skill.folder.lower():
        return Problem(span, message, "write the name of the directory", as_directory(skill))
    return Problem(span, f"{message}; it must be quoted", "", quote(frontmatter, "name"))


def _string(frontmatter: Frontmatter, key: str) -> Iterator[Problem]:
    found, source = frontmatter.kind(key), frontmatter.source(key)
    if found == "a string":
        return
    if found in _LISTS and not source.startswith(("[", "{")):
        yield Problem(frontmatter.value_span(key), f"{key} is {found}; a string was expected")
    elif found in _LISTS:
        yield Problem(
            frontmatter.value_span(key), f"{key} is {found}: text that begins with {source[0]!r} must be quoted"
        )
    else:
        message = f"{key} is {found}: {clipped(source)} must be quoted"
        yield Problem(frontmatter.value_span(key), message, f"YAML reads it as {found}", quote(frontmatter, key))


def _boolean(frontmatter: Frontmatter, key: str) -> Iterator[Problem]:
    value, found, source = frontmatter.data[key], frontmatter.kind(key), frontmatter.source(key)
    if found == "a boolean" and source.lower() not in _WORDS:
        return
    span = frontmatter.value_span(key)
    meant = _SAID.get(value.strip().lower()) if isinstance(value, str) else _SAID.get(source.lower())
    fix = Fix(f"write {meant}", (Edit(span, meant),)) if meant else None
    if found == "a boolean":
        message = f"{key} is {source!r}, a string in YAML 1.2; a boolean was expected"
    else:
        message = f"{key} is {found}: {clipped(source)}; a boolean was expected"
    yield Problem(span, message, f"write {meant or 'true or false'} without quotes", fix)


def _tools(frontmatter: Frontmatter, key: str) -> Iterator[Problem]:
    value = frontmatter.data[key]
    if isinstance(value, list):
        for index, item in enumerate(value):
            if not isinstance(item, str):
                found = frontmatter.kind(key, index)
                message = f"item {index + 1} of {key} is {found}; a string was expected"
                yield Problem(frontmatter.value_span(key, index), message, "write one tool, such as Bash(git:*)")
    elif not isinstance(value, str):
        message = f"{key} is {frontmatter.kind(key)}; a string or a list of strings was expected"
        yield Problem(frontmatter.value_span(key), message, "write the tools with spaces between them")


RULE = SkillRule(__name__, Severity.ERROR, __doc__, check)
