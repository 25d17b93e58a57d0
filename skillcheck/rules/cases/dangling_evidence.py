"""An acceptance item names evidence that the eval does not have.

What shows that an item is met is declared before anything is run: `checks[0]` or `expectations[0]`, counted from 0, or
`rubric`, where the judge grades the text of the item itself.

Source: the scenario cards of the skill fitness index.

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
      "id": 1, "files": ["inbox"],
      "prompt": "Sort these notes for me.",
      "expected_output": "The notes, oldest first.",
      "checks": [{"type": "file-contains", "path": "inbox/sorted.md", "regex": "^2026"}],
      "acceptance": [
        {"text": "The notes come by date", "evidence": "checks[1]"}
      ]
    }
  ]
}
````

````md evals/fixtures/inbox/notes.md
2026-08-19 Ask about the key.
````

## Bad: evidence of no kind that there is
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
      "id": 1, "files": ["inbox"],
      "prompt": "Sort these notes for me.",
      "expected_output": "The notes, oldest first.",
      "checks": [{"type": "file-contains", "path": "inbox/sorted.md", "regex": "^2026"}],
      "acceptance": [
        {"text": "The notes come by date", "evidence": "compiler"}
      ]
    }
  ]
}
````

````md evals/fixtures/inbox/notes.md
2026-08-19 Ask about the key.
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
      "id": 1, "files": ["inbox"],
      "prompt": "Sort these notes for me.",
      "expected_output": "The notes, oldest first.",
      "checks": [{"type": "file-contains", "path": "inbox/sorted.md", "regex": "^2026"}],
      "acceptance": [
        {"text": "The notes come by date", "evidence": "checks[0]"}
      ]
    }
  ]
}
````

````md evals/fixtures/inbox/notes.md
2026-08-19 Ask about the key.
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.catalog.card import RUBRIC
from skillcheck.diagnostic import Problem, Severity, clipped
from skillcheck.rules import CaseRule, Context

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.card import Acceptance
    from skillcheck.catalog.cases import CaseFile, Eval


def check(file: CaseFile, _context: Context) -> Iterator[Problem]:
    """Look every item's evidence up."""
    for each in file.evals:
        for index, item in enumerate(each.card.acceptance):
            reason = _fault(each, item)
            if reason:
                message = f"evidence {clipped(item.evidence)!r} of eval {each.id!r} {reason}"
                hint = f"name an entry, as checks[0] or expectations[0], or {RUBRIC}"
                yield Problem(file.span(*each.at, "acceptance", index, "evidence"), message, hint)


def _fault(case: Eval, item: Acceptance) -> str:
    if item.evidence == RUBRIC:
        return ""
    if item.shown_by is None:
        return "is neither an entry nor the rubric"
    name, index = item.shown_by
    count = len(case.checks if name == "checks" else case.expectations)
    return "" if index < count else f"is not there: of {name} there are {count}, counted from 0"


RULE = CaseRule(__name__, Severity.ERROR, __doc__, check)
