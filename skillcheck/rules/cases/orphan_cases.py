"""A case file belongs to no skill.

The skill was renamed or removed, or the file's name is mistyped; its prompts test nothing. The file's name without
`.json` must be the name of a skill. Nothing else is said of such a file, except where it isn't well-formed.

## Bad
````json evals/cases/print-notes.json
{
  "skill_name": "print-notes",
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
from skillcheck.span import START
from skillcheck.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator


def check(context: Context) -> Iterator[tuple[str, Problem]]:
    """Look for a skill of each file's name; a file that names a skill inside is case-name-mismatch's business."""
    known = context.catalog.known
    for file in context.catalog.reported_cases:
        if file.stem not in known and file.skill_name not in known:
            message = f"no skill {file.stem!r} in this catalog{did_you_mean(file.stem, context.catalog.names)}"
            span = file.span("skill_name") if file.skill_name else START
            yield file.shown, Problem(span, message, "rename the file after its skill, or remove it")


RULE = CatalogRule(__name__, Severity.ERROR, __doc__, check)
