"""The `owner` of a negative prompt is no skill of this catalog.

A negative says whose request it is; with an owner that does not exist that half of the check is lost.

## Bad
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {
    "positive": [
      {"prompt": "sort notes by date"}
    ],
    "negative": [
      {"prompt": "write the weekly mail to the team", "owner": "monthly-mail"}
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
from skillcheck.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.cases import CaseFile


def check(file: CaseFile, context: Context) -> Iterator[Problem]:
    """Look each owner up."""
    catalog = context.catalog
    for prompt in file.negatives:
        if prompt.owner and prompt.owner not in catalog.known:
            hint = did_you_mean(prompt.owner, catalog.names)
            message = f"owner {prompt.owner!r} is no skill of this catalog{hint}"
            yield Problem(file.span(*prompt.at, "owner"), message)


RULE = CaseRule(__name__, Severity.ERROR, __doc__, check)
