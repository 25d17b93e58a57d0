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
from skillcheck.rules import CaseRule, Context

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.cases import CaseFile


def check(file: CaseFile, context: Context) -> Iterator[Problem]:
    """Compare the two names; where neither is a skill's, orphan-cases says so."""
    known = context.catalog.known
    if not file.skill_name or file.skill_name == file.stem or known.isdisjoint({file.skill_name, file.stem}):
        return
    message = f"skill_name {file.skill_name!r} differs from the file's name {file.stem!r}"
    hint = f"write {file.stem!r}" if file.stem in known else f"rename the file to {file.skill_name}.json"
    yield Problem(file.span("skill_name"), message, hint)


RULE = CaseRule(__name__, Severity.ERROR, __doc__, check)
