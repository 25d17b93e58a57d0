"""Two evals of one case file have one id.

Results are stored by skill and id, so one would overwrite the other. `1` and `"1"` are the same here.

## Bad
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
  },
  "evals": [
    {
      "id": 1, "kind": "dialogue",
      "prompt": "Sort these notes for me.",
      "expected_output": "The notes, oldest first.",
      "expectations": ["The notes come by date"]
    },
    {
      "id": 1, "kind": "dialogue",
      "prompt": "Which note is the oldest?",
      "expected_output": "The note's first line.",
      "expectations": ["The answer names one note"]
    }
  ]
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
  },
  "evals": [
    {
      "id": 1, "kind": "dialogue",
      "prompt": "Sort these notes for me.",
      "expected_output": "The notes, oldest first.",
      "expectations": ["The notes come by date"]
    },
    {
      "id": 2, "kind": "dialogue",
      "prompt": "Which note is the oldest?",
      "expected_output": "The note's first line.",
      "expectations": ["The answer names one note"]
    }
  ]
}
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem, Related, Severity
from skillcheck.rules import CaseRule, Context

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.cases import CaseFile, Eval


def check(file: CaseFile, _context: Context) -> Iterator[Problem]:
    """Compare the ids as they would be written."""
    first: dict[str, Eval] = {}
    for each in file.evals:
        other = first.setdefault(str(each.id), each)
        if other is not each:
            span = file.span(*other.at, "id")
            related = Related(file.shown, span, "is the same")
            message = f"eval id {each.id!r} is taken: line {span.line} has it already"
            yield Problem(file.span(*each.at, "id"), message, "give each eval its own id", related=(related,))


RULE = CaseRule(__name__, Severity.ERROR, __doc__, check)
