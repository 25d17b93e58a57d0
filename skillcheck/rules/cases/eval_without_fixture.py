"""An execution eval has no files to work on.

The agent would begin in an empty folder, and there would be nothing to grade but what it says. Give it `files`, or say
that it is a `"kind": "dialogue"`, which is graded by the conversation and needs none.

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
      "id": 1,
      "prompt": "Sort these notes for me.",
      "expected_output": "The notes, oldest first.",
      "expectations": ["The notes come by date"]
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
    """Look for files of each execution eval."""
    for each in file.evals:
        if each.kind == "execution" and not each.files and (*each.at, "files") not in file.mistyped:
            written = (*each.at, "files") in file.located.spans
            span = file.span(*each.at, "files" if written else "id")
            message = f"execution eval {each.id!r} has no files"
            yield Problem(span, message, 'name fixtures in `files`, or set `"kind": "dialogue"`')


RULE = CaseRule(__name__, Severity.ERROR, __doc__, check)
