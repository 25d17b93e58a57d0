"""A `top_k` is larger than the catalog.

A prompt that shares any word with the skill passes, whatever ranks above it. A `top_k` that is no more than the
settings' `top-k` is left alone, since a catalog begins small.

## Bad
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {
    "positive": [
      {"prompt": "sort notes by date", "top_k": 999}
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
      {"prompt": "sort notes by date", "top_k": 1}
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
    """Compare each top_k with the number of skills."""
    catalog = context.catalog
    limit = max(len(catalog.names), catalog.config.top_k)
    for prompt in file.positives:
        if prompt.top_k is not None and prompt.top_k > limit:
            message = f"top_k {prompt.top_k} is more than the catalog's {len(catalog.names)} skills: nothing can fail"
            yield Problem(file.span(*prompt.at, "top_k"), message, f"{catalog.config.top_k} is the default")


RULE = CaseRule(__name__, Severity.WARNING, __doc__, check)
