"""A link's destination is a template, which can't be checked.

`{baseDir}/guide.md`, `references/<name>.md`, `$HOME/notes.md`, `*.md`, `~/notes.md` or `path/to/file.md` as a link
lead nowhere as they stand, and no tool can say whether they would. Either write the path relative to the skill's
folder, or put an example into code, where it is no link. `${CLAUDE_SKILL_DIR}` and `${CLAUDE_PLUGIN_ROOT}` are known
and filled in; the latter is a template only where no folder above has a `.claude-plugin`. A file that is really
called so is fine.

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort as [the guide]({baseDir}/guide.md) says.
````

## Good
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort as [the guide](${CLAUDE_SKILL_DIR}/guide.md) says, and link days as `[day](<year>/<day>.md)`.
````
````md skills/tidy-notes/guide.md
Newest first.
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem, Severity
from skillcheck.rules import Context, SkillRule
from skillcheck.rules.links import State, targets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.skill import Skill


def check(skill: Skill, context: Context) -> Iterator[Problem]:
    """Report what can't be looked up."""
    for target in targets(skill, context):
        if target.state is State.TEMPLATED:
            message = f"link target {target.link.target!r} is a template and can't be checked"
            yield Problem(
                target.span, message, "write a path relative to the skill's folder, or put the example into code"
            )


RULE = SkillRule(__name__, Severity.WARNING, __doc__, check)
