"""An eval names a fixture that does not exist.

Entries of `files` are paths below `evals/fixtures`; the agent would begin without what the task is about. A path whose
case differs from the file's is missing too, since it is on Linux. An empty folder holds nothing to begin with, and git
doesn't keep it.

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
      "id": 1, "files": ["outbox"],
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

from skillcheck.catalog.files import outside
from skillcheck.diagnostic import Problem, Severity
from skillcheck.evals.workspace.fixture import missing
from skillcheck.rules import CaseRule, Context

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.cases import CaseFile

_HINT = "entries of `files` are paths below the folder fixtures/ beside that of the case files"


def check(file: CaseFile, context: Context) -> Iterator[Problem]:
    """Look each path up, exactly as it is written; what leads outside is escaping-fixture's business."""
    for each in file.evals:
        for index, path in enumerate(each.files):
            message = "" if outside(path) else missing(path, context.catalog.fixtures, context.catalog.files)
            if message:
                yield Problem(file.span(*each.at, "files", index), message, _HINT)


RULE = CaseRule(__name__, Severity.ERROR, __doc__, check)
