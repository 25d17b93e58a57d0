"""A fixture is there, and no workspace can be made of it.

Its `working-tree.patch` doesn't apply, the entry names what is for the setup alone (`.eval`), or it holds what can't be
copied, such as a pipe or a link to a file outside.

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
      "expectations": ["The notes come by date"]
    }
  ]
}
````
````md evals/fixtures/inbox/notes.md
2026-08-19 Ask about the key.
````
````diff evals/fixtures/inbox/.eval/working-tree.patch
--- a/inbox/letters.md
+++ b/inbox/letters.md
@@ -1 +1 @@
-old
+new
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
````diff evals/fixtures/inbox/.eval/working-tree.patch
--- a/inbox/notes.md
+++ b/inbox/notes.md
@@ -1 +1 @@
-2026-08-19 Ask about the key.
+2026-08-19 Ask about the other key.
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem, Severity
from skillcheck.errors import SkillcheckError
from skillcheck.evals.workspace import fixture, workspace
from skillcheck.evals.workspace.sandbox import new_mark
from skillcheck.rules import CaseRule, Context

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from skillcheck.catalog.cases import CaseFile
    from skillcheck.catalog.catalog import Catalog


def check(file: CaseFile, context: Context) -> Iterator[Problem]:
    """What is not there or leads outside is the business of other rules; patches are tried, where there are any."""
    catalog = context.catalog
    for each in file.evals:
        sound = [path for path in each.files if not _is_told(path, catalog)]
        told = False
        for index, path in enumerate(each.files):
            for message in fixture.check((path,), catalog.fixtures) if path in sound else ():
                told = True
                yield Problem(file.span(*each.at, "files", index), message)
        if not told and sound and len(sound) == len(each.files):
            yield from _tried(file, each.at, sound, catalog.fixtures)


def _is_told(path: str, catalog: Catalog) -> bool:
    home, files = catalog.fixtures, catalog.files
    return bool(fixture.escaping(path, home, files) or fixture.missing(path, home, files))


def _tried(file: CaseFile, at: tuple[str | int, ...], paths: Sequence[str], home: Path) -> Iterator[Problem]:
    if not any((home / path / fixture.SETUP / fixture.PATCH).is_file() for path in paths):
        return
    try:
        with workspace.made(paths, home, mark=new_mark()):
            pass
    except SkillcheckError as error:
        yield Problem(
            file.span(*at, "files"), str(error), "make it anew with `git diff` in the workspace's root folder"
        )


RULE = CaseRule(__name__, Severity.ERROR, __doc__, check)
