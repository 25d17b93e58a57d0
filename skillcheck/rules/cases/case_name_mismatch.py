"""The `skill_name` of a case file differs from the file's name.

Readers go by one or the other, so that the cases count for different skills, or for none.

## Bad
````json evals/cases/tidy-notes.json
{
  "skill_name": "note-tidier",
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
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem, Severity
from skillcheck.rules import CatalogRule, Context

if TYPE_CHECKING:
    from collections.abc import Iterator


def check(context: Context) -> Iterator[tuple[str, Problem]]:
    """Compare the two names of each file; where neither is a skill's, orphan-cases says so."""
    known = context.catalog.known
    for file in context.catalog.reported_cases:
        if file.skill_name and file.skill_name != file.stem and not known.isdisjoint({file.skill_name, file.stem}):
            message = f"skill_name {file.skill_name!r} differs from the file's name {file.stem!r}"
            hint = f"write {file.stem!r}" if file.stem in known else f"rename the file to {file.skill_name}.json"
            yield file.shown, Problem(file.span("skill_name"), message, hint)


RULE = CatalogRule(__name__, Severity.ERROR, __doc__, check)
