"""Two skills have one name.

Hosts keep whichever they meet last, or first, and the other is gone. The finding stands at the later skill, in path
order, and names the first. Names are compared after Unicode normalisation (NFKC); a skill without a name goes by its
directory's.

One skill that several links lead to counts once. Two plug-ins, each with a `.claude-plugin/plugin.json`, may use the
same name, since hosts put the plug-in's before it. And a copy is no second skill where a catalog keeps mirrors for
several hosts: the same text at the same place below two folders called `skills`.

## Bad
````md skills/notes/tidy-up/SKILL.md
---
name: tidy-up
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````

````md skills/photos/tidy-up/SKILL.md
---
name: tidy-up
description: Finds photos that were taken twice. Use when a camera was emptied again.
---

Show the photos that look alike.
````

## Good
````md skills/notes/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````

````md skills/photos/tidy-photos/SKILL.md
---
name: tidy-photos
description: Finds photos that were taken twice. Use when a camera was emptied again.
---

Show the photos that look alike.
````
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem, Related, Severity
from skillcheck.rules import CatalogRule, Context

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from skillcheck.catalog.catalog import Catalog
    from skillcheck.catalog.files import Files
    from skillcheck.catalog.skill import Skill

_PLUGIN = (".claude-plugin", "plugin.json")


def check(context: Context) -> Iterator[tuple[str, Problem]]:
    """Every later skill of a name; the first one if it is the only one that was asked about."""
    catalog = context.catalog
    by_name: dict[str, list[Skill]] = {}
    for skill in _candidates(catalog):
        by_name.setdefault(unicodedata.normalize("NFKC", skill.name), []).append(skill)
    for skills in by_name.values():
        twins = _twins(skills, catalog.files) if len(skills) > 1 else []
        later = [(twin, first) for twin, first in twins if twin.shown in catalog.selected]
        earlier = {first.shown: (first, twin) for twin, first in reversed(twins) if first.shown in catalog.selected}
        for skill, other in later or earlier.values():
            yield skill.shown, _problem(skill, other)


def _candidates(catalog: Catalog) -> Iterable[Skill]:
    """The skills that can clash with one that is reported: where single ones were named, most need no reading."""
    names = [skill.name for skill in catalog.reported_skills]
    if not catalog.narrowed or not all(map(str.isascii, names)):
        return catalog.skills
    return [s for s in catalog.skills if s.folder in names or any(name in s.text for name in names)]


def _problem(skill: Skill, other: Skill) -> Problem:
    message = f"name {skill.name!r} is taken by {other.shown}"
    related = Related(other.shown, other.value_span("name"), f"{other.name!r} is also here")
    return Problem(skill.value_span("name"), message, "rename one of the two", related=(related,))


def _twins(skills: list[Skill], files: Files) -> list[tuple[Skill, Skill]]:
    """Skills that clash with an earlier one, each with the first such."""
    found = []
    for index, skill in enumerate(skills):
        first = next((other for other in skills[:index] if not _may_both_be(skill, other, files)), None)
        if first:
            found.append((skill, first))
    return found


def _may_both_be(a: Skill, b: Skill, files: Files) -> bool:
    if a.text == b.text and _place(a.path) == _place(b.path):
        return True
    one, two = _plugin(a.path, files), _plugin(b.path, files)
    return one is not None and two is not None and one != two


def _place(path: Path) -> tuple[str, ...]:
    """What comes after the last folder called `skills`: equal for mirrors, never equal below one folder."""
    parts = path.parts
    last = max((at for at, part in enumerate(parts) if part == "skills"), default=-1)
    return parts[last + 1 :]


def _plugin(path: Path, files: Files) -> Path | None:
    return next((folder for folder in path.parents if files.look(folder.joinpath(*_PLUGIN)).exists), None)


RULE = CatalogRule(__name__, Severity.ERROR, __doc__, check)
