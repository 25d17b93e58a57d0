"""An execution eval is still provisional.

`"trust_level": "provisional"` marks an eval whose fixtures are yet to come; its result can't be trusted until they
are there and the mark is gone. Dialogue evals may bear it.

Source: the eval format of addyosmani/agent-skills.

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
      "id": 1, "trust_level": "provisional", "files": ["inbox"],
      "prompt": "Sort these notes for me.",
      "expected_output": "The notes, oldest first.",
      "expectations": ["The notes come by date"]
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
      "expectations": ["The notes come by date"]
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

from skillcheck.diagnostic import Problem, Severity
from skillcheck.rules import CaseRule, Context

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.cases import CaseFile


def check(file: CaseFile, _context: Context) -> Iterator[Problem]:
    """Look for the mark on execution evals."""
    for each in file.evals:
        if each.kind == "execution" and each.provisional:
            message = f"execution eval {each.id!r} is still provisional"
            yield Problem(file.span(*each.at, "trust_level"), message, "give it real fixtures, then take the mark out")


RULE = CaseRule(__name__, Severity.ERROR, __doc__, check)
