"""A relative link or image leads to a file that does not exist.

An agent follows links to the files that a skill brings along. A dead one costs it a few turns, and it then guesses
what the file would have said. Paths are relative to the skill's folder; `%20`, `<...>`, reference definitions,
titles, folders, `${CLAUDE_SKILL_DIR}/...` and `${CLAUDE_PLUGIN_ROOT}/...` are understood.

Nothing is said about URLs of any scheme, `/routes`, code, comments, unused definitions, and paths that are
templates: those are `templated-link`'s. HTML attributes are not looked at.

Source: agentskills.io/specification, "File references".

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort as [the guide](docs/giude.md) says.
````
````md skills/tidy-notes/docs/guide.md
Newest first.
````

## Good
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort as [the guide](references/guide.md) says, see also [dates](<references/d(1).md> "Dates"), [the same][dates] and
[the site](https://example.com/notes). Write links as `[text](file.md)`.

[dates]: references/%64%281%29.md
[unused]: nowhere.md
````
````md skills/tidy-notes/references/guide.md
Newest first.
````
````md skills/tidy-notes/references/d(1).md
Dates are ISO dates.
````
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem, Severity
from skillcheck.rules import Context, SkillRule
from skillcheck.rules.links import State, targets
from skillcheck.suggest import closest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.skill import Skill

_HINTED = 20
"""How many findings name what was meant: looking for it among many files takes long."""
_HOST = re.compile(r"(?:www\.|[\w-]+\.(?:com|org|net|io|dev|ai)(?:/|\Z))", re.IGNORECASE)
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")


def check(skill: Skill, context: Context) -> Iterator[Problem]:
    """Report links to nothing."""
    missing = [target for target in targets(skill, context) if target.state is State.MISSING]
    known = context.catalog.files.tree(skill.path.parent, lambda _name: False) if missing else ()
    for index, target in enumerate(missing):
        kind = "image" if target.link.image else "link target"
        message = f"{kind} {target.path!r} does not exist"
        yield Problem(target.span, message, _hint(target.path, known if index < _HINTED else ()))


def _hint(path: str, known: tuple[str, ...]) -> str:
    if _HOST.match(path):
        return f"a URL needs its scheme: 'https://{path}'"
    if _MAIL.fullmatch(path):
        return f"an address needs its scheme: 'mailto:{path}'"
    near = _near(path.replace("\\", "/").removeprefix("./"), known)
    return f"did you mean {near!r}" if near else "paths are relative to the skill's folder"


def _near(path: str, known: tuple[str, ...]) -> str | None:
    """The file that was meant: the same but for slashes or its ending, the same name elsewhere, or a near miss."""
    if path in known:
        return path
    name = path.rpartition("/")[2]
    without_ending = [file for file in known if file.rpartition(".")[0] == path]
    elsewhere = [file for file in known if file.rpartition("/")[2] == name]
    return next((found[0] for found in (without_ending, elsewhere) if len(found) == 1), None) or closest(path, known)


RULE = SkillRule(__name__, Severity.ERROR, __doc__, check)
