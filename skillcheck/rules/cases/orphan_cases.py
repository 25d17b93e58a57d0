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
from skillcheck.rules import CaseRule, Context
from skillcheck.span import START
from skillcheck.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.cases import CaseFile


def check(file: CaseFile, context: Context) -> Iterator[Problem]:
    """Look for a skill of the file's name; a file that names a skill inside is case-name-mismatch's business."""
    known = context.catalog.known
    if file.stem in known or file.skill_name in known:
        return
    message = f"no skill {file.stem!r} in this catalog{did_you_mean(file.stem, context.catalog.names)}"
    span = file.span("skill_name") if file.skill_name else START
    yield Problem(span, message, "rename the file after its skill, or remove it")


RULE = CaseRule(__name__, Severity.ERROR, __doc__, check)
