"""An eval's fixture leads out of the fixtures folder.

Entries of `files` are relative paths with slashes, below `evals/fixtures`: not absolute, not upward, no drive, no
backslash, and not the whole folder. Symbolic links count as what they lead to, also those inside a fixture, since they
would carry files of the machine into the agent's workspace.

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
      "id": 1, "files": ["../../skills/tidy-notes"],
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
from skillcheck.evals.workspace.fixture import escaping
from skillcheck.rules import CaseRule, Context

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.cases import CaseFile


def check(file: CaseFile, context: Context) -> Iterator[Problem]:
    """Judge each path as it is written, then by where it leads."""
    for each in file.evals:
        for index, path in enumerate(each.files):
            message = escaping(path, context.catalog.fixtures, context.catalog.files)
            if message:
                yield Problem(file.span(*each.at, "files", index), message, "name a file or folder inside of them")


RULE = CaseRule(__name__, Severity.ERROR, __doc__, check)
