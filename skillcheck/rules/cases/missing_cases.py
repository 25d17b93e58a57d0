"""A skill has no case file.

Once a catalog keeps cases in `evals/cases` (or what `cases` says in the settings), each skill needs its own,
`<name>.json`: a skill without one may lose its requests to any neighbour unseen. A catalog without that folder is left
in peace, and so is a skill whose file has another name but says that it is this skill's (case-name-mismatch).

## Bad
````toml .skillcheck.toml
ignore = ["insufficient-cases"]
````

````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {
    "positive": [
      {"prompt": "sort notes by date"}
    ],
    "negative": [
      {"prompt": "write the weekly mail to the team", "owner": "weekly-mail"}
    ]
  }
}
````

## Good
````toml .skillcheck.toml
ignore = ["insufficient-cases"]
````

````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {
    "positive": [
      {"prompt": "sort notes by date"}
    ],
    "negative": [
      {"prompt": "write the weekly mail to the team", "owner": "weekly-mail"}
    ]
  }
}
````

````json evals/cases/weekly-mail.json
{
  "skill_name": "weekly-mail",
  "trigger": {
    "positive": [
      {"prompt": "the weekly mail to the team, please"}
    ],
    "negative": [
      {"prompt": "sort the notes in that folder", "owner": "tidy-notes"}
    ]
  }
}
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem, Severity
from skillcheck.rules import Context, SkillRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.skill import Skill


def check(skill: Skill, context: Context) -> Iterator[Problem]:
    """Look for a case file of the skill's name."""
    catalog = context.catalog
    if not catalog.has_cases:
        return
    stems = {file.stem for file in catalog.case_files}
    meant = {file.skill_name for file in catalog.case_files if file.stem not in catalog.known}
    if stems.isdisjoint({skill.name, skill.folder}) and skill.name not in meant:
        message = f"skill {skill.name!r} has no case file"
        yield Problem(skill.value_span("name"), message, f"add {catalog.config.cases}/{skill.name}.json")


RULE = SkillRule(__name__, Severity.ERROR, __doc__, check)
