"""A hash cuts a value off: the rest of the line is a comment.

In YAML without quotes, a blank and a hash begin a comment, so `Use C # in` is `Use C`, and nobody says so. Quote the
value. This is told for `name`, `description` and `when_to_use`.

A comment that is meant as one is left alone: after two blanks or more, after a full stop, or after a name when a blank
follows the hash; and so are comments that give orders to a tool (`# skillcheck-disable-line`, `# yamllint disable`,
`# noqa`). After one blank, a hash right before a word (`#123`) is always taken for text.

Source: yaml.org/spec/1.2.2, section 6.6 "Comments".

## Bad
````md skills/tidy-issues/SKILL.md
---
name: tidy-issues
description: Closes duplicates of an issue. Use when somebody writes duplicate of #12 or the like.
---

Close the later one.
````

## Good
````md skills/tidy-issues/SKILL.md
---
name: tidy-issues # as on the board
description: "Closes duplicates of an issue. Use when somebody writes duplicate of #12 or the like."
---

Close the later one.
````
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from skillcheck.catalog.frontmatter import in_quotes
from skillcheck.diagnostic import Edit, Fix, Problem, Severity, clipped
from skillcheck.rules import Context, SkillRule
from skillcheck.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.skill import Skill

_KEYS = ("name", "description", "when_to_use")
_COMMENT = re.compile(r"(?P<blank>[ \t]+)#(?P<text>.*)")
_ORDER = r"\s*(?:skillcheck-|yamllint\b|noqa\b|cspell:|spell-?checker:|prettier-ignore|eslint-|type:|pragma\b)"
_END = r"[.!?…。！？][)\]\"']?\Z"  # noqa: RUF001 - Chinese and Japanese sentences end so


def check(skill: Skill, _context: Context) -> Iterator[Problem]:
    """Look at what stands behind a value on its last line."""
    frontmatter = skill.frontmatter
    if frontmatter is None:
        return
    for key in _KEYS:
        value = frontmatter.data.get(key)
        if not isinstance(value, str) or not value or not frontmatter.is_plain(key):
            continue
        span = frontmatter.value_span(key)
        line = skill.lines.line(span.end_line)
        match = _COMMENT.match(line, span.end_column - 1)
        if match is None or _is_comment(key, value, match):
            continue
        cut = match["text"].rstrip()
        whole = in_quotes(f"{value}{match['blank']}#{cut}")
        to = Span(span.line, span.column, span.end_line, len(line.rstrip()) + 1)
        where = Span(span.end_line, match.end("blank") + 1, span.end_line, to.end_column)
        message = f"{key} ends before {clipped('#' + cut)!r}: YAML takes it for a comment"
        yield Problem(
            where, message, "the value must be quoted", Fix("quote the value", (Edit(to, whole),), safe=False)
        )


def _is_comment(key: str, value: str, match: re.Match[str]) -> bool:
    text = match["text"]
    if re.match(_ORDER, text) or not text.strip() or len(match["blank"]) > 1:
        return True
    return text[0].isspace() and (key == "name" or bool(re.search(_END, value)))


RULE = SkillRule(__name__, Severity.WARNING, __doc__, check)
