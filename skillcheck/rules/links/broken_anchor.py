"""A link's fragment names no heading or anchor.

The part after `#` must be the slug of a heading, as GitHub makes it (lower case, blanks to hyphens, punctuation gone,
`-1` for the second of the same name), or the `id` or `name` of an HTML element, in this file or in the Markdown file
that the link leads to.

Fragments of other files (`#L10`), `#top`, an empty one and text fragments are left alone.

Source: docs.github.com, "Section links".

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes, then do [the rest](#final-steps).

## Last steps

Make a list.
````

## Good
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes, then do [the rest](#last-steps-all-of-them). Dates follow [the guide](guide.md#dates-1).

## Last steps: all of them

Make a list, [begin again](#top).
````
````md skills/tidy-notes/guide.md
# Dates

Of files.

# Dates

Of notes.
````
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from skillcheck.catalog.markdown import Body
from skillcheck.diagnostic import Problem, Severity
from skillcheck.rules import Context, SkillRule
from skillcheck.rules.links import State, targets
from skillcheck.suggest import closest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from skillcheck.catalog.files import Files
    from skillcheck.catalog.skill import Skill

_HINTED = 20
"""How many findings name what was meant: looking for it among many anchors takes long."""
_LEFT_ALONE = re.compile(r"|top|L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?|:~:.*", re.IGNORECASE)
_MARKDOWN = frozenset({".md", ".markdown", ".mdx"})
_INVISIBLE = dict.fromkeys(map(ord, "\ufe0e\ufe0f\u200d"))


def check(skill: Skill, context: Context) -> Iterator[Problem]:
    """Report fragments that lead to the top of the file instead."""
    told = 0
    known: dict[Path, frozenset[str] | None] = {}
    for target in targets(skill, context):
        if target.state not in {State.FOUND, State.WRONG_CASE} or _LEFT_ALONE.fullmatch(target.fragment):
            continue
        file = target.file or skill.path
        if file not in known:
            known[file] = _anchors(skill, file, context.catalog.files)
        anchors = known[file]
        if anchors is not None and not _plain(target.fragment) & {"top", *anchors}:
            message = f"no heading or anchor {target.fragment!r} in {target.path or 'this file'}"
            near = closest(target.fragment, anchors) if told < _HINTED else None
            told += 1
            yield Problem(target.span, message, f"did you mean {'#' + near!r}" if near else "")


def _anchors(skill: Skill, file: Path, files: Files) -> frozenset[str] | None:
    """The anchors of a Markdown file; None where there is no telling."""
    if file == skill.path:
        body: Body | None = skill.body
    else:
        text = files.read(file) if file.suffix.lower() in _MARKDOWN else None
        body = None if text is None else Body.parse(text)
    return None if body is None else frozenset(anchor.translate(_INVISIBLE) for anchor in body.anchors())


def _plain(fragment: str) -> set[str]:
    """What a fragment may stand for: GitHub puts `user-content-` before ids, and emoji leave invisible marks."""
    plain = fragment.translate(_INVISIBLE)
    return {plain, plain.removeprefix("user-content-")}


RULE = SkillRule(__name__, Severity.WARNING, __doc__, check)
