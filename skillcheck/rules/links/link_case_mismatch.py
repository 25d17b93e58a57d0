"""A link's path and the file's name differ in case.

The link works on the author's macOS or Windows disk and is dead on Linux, in containers and on GitHub. Names are
compared exactly on every system; composed and decomposed letters (NFC and NFD) count as the same.

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort as [the guide](references/Guide.md) says.
````
````md skills/tidy-notes/references/guide.md
Newest first.
````

## Good
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort as [the guide](references/guide.md) says.
````
````md skills/tidy-notes/references/guide.md
Newest first.
````
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from skillcheck.diagnostic import Edit, Fix, Problem, Severity
from skillcheck.rules import Context, SkillRule
from skillcheck.rules.links import State, decoded, targets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.markdown import Link
    from skillcheck.catalog.skill import Skill

_ENCODED = {" ": "%20", "%": "%25", "#": "%23", "?": "%3F", "(": "%28", ")": "%29", "<": "%3C", ">": "%3E", "\\": "%5C"}


def check(skill: Skill, context: Context) -> Iterator[Problem]:
    """Report links to files of another spelling."""
    defined: dict[tuple[str, str], Fix | None] = {}
    for target in targets(skill, context):
        if target.state is State.WRONG_CASE and target.file:
            written = re.split("[?#]", target.link.target, maxsplit=1)[0]
            right = _respelled(written, target.file.parts)
            key = (target.link.label, written)
            if not target.link.label or key not in defined:
                defined[key] = _fix(skill, target.link, written, right)
            fix = defined[key]
            message = f"link target {target.path!r} differs in case from {decoded(right)!r}"
            yield Problem(target.span, message, "write the name exactly; most file systems tell them apart", fix)


def _respelled(written: str, parts: tuple[str, ...]) -> str:
    """The written path with the true names, matched from its end as far as it has no dots."""
    words = written.split("/")
    true = list(parts)
    for index in reversed(range(len(words))):
        if words[index] in {".", ".."} or not true:
            break
        if words[index] and decoded(words[index]) != (name := true.pop()):
            words[index] = "".join(_ENCODED.get(c, c) for c in name)
    return "/".join(words)


def _fix(skill: Skill, link: Link, written: str, right: str) -> Fix | None:
    """Replace the destination where it stands literally: in the link, or in the one definition of its label."""
    if link.label:
        label = r"\s+".join(map(re.escape, link.label.split()))
        pattern = rf"^[ \t>]*\[\s*{label}\s*\]:\s*<?({re.escape(written)})(?=[\s>?#]|\Z)"
        start, end = skill.body.start, len(skill.text)
    else:
        pattern = rf"\]\(\s*<?({re.escape(written)})(?=[\s>?#)])"
        start, end = link.start, link.end
    found = list(re.compile(pattern, re.MULTILINE | re.IGNORECASE).finditer(skill.text, start, end))
    places = [match for match in found if match[1] == written]
    if len(places) != 1 or written == right or any(c.start <= places[0].start() < c.end for c in skill.body.code):
        return None
    return Fix(f"write {right}", (Edit(skill.span(*places[0].span(1)), right),))


RULE = SkillRule(__name__, Severity.ERROR, __doc__, check)
