"""A check of an eval can't be made as it is written.

The `type` of a check is the name of a grader, and its other keys are that grader's options; their types, regular
expressions and paths are looked at before any agent is started. Paths lie in the workspace, those of scripts and of the
eval's `solution` below `evals/fixtures`: they must be there, and executable.

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
      "checks": [
        {"type": "file-contains", "path": "notes.md", "regex": "^(2026"}
      ]
    }
  ]
}
````

````md evals/fixtures/inbox/notes.md
2026-08-19 Ask about the key.
````

## Bad: an option that the grader lacks
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
      "checks": [
        {"type": "file-exists", "paht": "notes.md"}
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
      "checks": [
        {"type": "file-contains", "path": "notes.md", "regex": "^2026"}
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

from skillcheck.catalog.files import outside
from skillcheck.diagnostic import Problem, Severity, clipped
from skillcheck.evals.plan.checks import problems, programs
from skillcheck.evals.workspace.fixture import SHOWN
from skillcheck.rules import CaseRule, Context

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.cases import CaseFile
    from skillcheck.catalog.catalog import Catalog


def check(file: CaseFile, context: Context) -> Iterator[Problem]:
    """Ask each grader, then look for the programs."""
    for each in file.evals:
        for index, one in enumerate(each.checks):
            at = (*each.at, "checks", index)
            wrong = problems(one)
            for breach in wrong:
                span = (file.located.key_span if breach.on_key else file.span)(*at, *breach.path)
                yield Problem(span, f"check {clipped(one['type'], SHOWN)!r}: {breach.message}")
            for key in () if wrong else programs(one):
                yield from _program(file, context.catalog, one[key], *at, key)
        if each.solution:
            yield from _program(file, context.catalog, each.solution, *each.at, "solution")


def _program(file: CaseFile, catalog: Catalog, path: str, *at: str | int) -> Iterator[Problem]:
    """What keeps a program below the fixtures from being run."""
    reason = _fault(catalog, path)
    if reason:
        message = f"{at[-1]} {clipped(path, SHOWN)!r} {reason}"
        yield Problem(file.span(*at), message, "name an executable file below the fixtures")


def _fault(catalog: Catalog, path: str) -> str:
    home = catalog.fixtures
    if outside(path):
        return f"leaves the fixtures: {outside(path)}"
    found = catalog.files.look(home / path)
    if found.actual:
        return f"does not exist; the true name is {found.actual.name!r}"
    if not found.exists or not catalog.files.arrives(home / path):
        return "does not exist"
    if catalog.files.escape(home / path, home):
        return "leaves the fixtures: it is a link that leads outside"
    return "" if catalog.files.is_program(home / path) else "is no file that may be run"


RULE = CaseRule(__name__, Severity.ERROR, __doc__, check)
