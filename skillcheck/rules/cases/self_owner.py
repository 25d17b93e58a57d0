"""The `owner` of a negative prompt is the skill itself.

A negative prompt must not reach the skill, so the skill can't be where it belongs: either it is a positive prompt, or
another skill was meant.

## Bad
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {
    "positive": [
      {"prompt": "sort notes by date"}
    ],
    "negative": [
      {"prompt": "write the weekly mail to the team", "owner": "tidy-notes"}
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


def check(file: CaseFile, _context: Context) -> Iterator[Problem]:
    """Compare each owner with the file's skill."""
    for prompt in file.negatives:
        if prompt.owner == file.stem:
            message = f"the negative prompt's owner is {prompt.owner!r} itself"
            yield Problem(file.span(*prompt.at, "owner"), message, "name the skill that should win, or leave it out")


RULE = CaseRule(__name__, Severity.ERROR, __doc__, check)
