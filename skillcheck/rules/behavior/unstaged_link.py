"""A link leads out of the skill's folder, so that an agent that follows it finds nothing.

Hosts install a skill's own folder, and a trial's workspace holds just that. A file beside it in the repository is there
for people who read the repository, and for no agent elsewhere.

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort as [the style guide](../../style.md) says.
````
````md style.md
Newest first.
````
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "evals": [
    {
      "id": 1, "files": ["inbox"],
      "prompt": "Sort these notes for me.",
      "expected_output": "The notes, oldest first.",
      "checks": [{"type": "file-exists", "path": "inbox/sorted.md"}]
    }
  ]
}
````

## Good
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort as [the style guide](style.md) says.
````
````md skills/tidy-notes/style.md
Newest first.
````
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "evals": [
    {
      "id": 1, "files": ["inbox"],
      "prompt": "Sort these notes for me.",
      "expected_output": "The notes, oldest first.",
      "checks": [{"type": "file-exists", "path": "inbox/sorted.md"}]
    }
  ]
}
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem, Severity
from skillcheck.rules import Context, SkillRule
from skillcheck.rules.links import targets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.skill import Skill


def check(skill: Skill, context: Context) -> Iterator[Problem]:
    """Links to files that are there, and yet not in the skill's folder."""
    folder = skill.path.parent.resolve()
    for target in targets(skill, context):
        if target.file and not target.file.resolve().is_relative_to(folder):
            message = f"link target {target.path!r} lies outside the skill's folder and was not staged"
            yield Problem(target.span, message, "copy the file into the skill's folder")


RULE = SkillRule(__name__, Severity.WARNING, __doc__, check)
