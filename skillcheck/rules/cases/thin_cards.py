"""The evals of a skill are too few, too many, or lack a category.

A fitness index needs 5 to 8 evals a skill (the options `least` and `most`), with basic, advanced and edge cases among
them: one score over the easy ones alone says little, and without edge cases nobody knows whether the skill bears input
that is missing, over-long or ambiguous. Off until a catalog asks for it; an eval names its category by `category`.

Source: the scenario cards of the skill fitness index.

## Bad
````toml .skillcheck.toml
ignore = ["insufficient-cases", "missing-cases"]
rules.thin-cards = { severity = "info", least = 3 }
````

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
      "category": "basic"
    },
    {
      "id": 2, "files": ["inbox"],
      "prompt": "Sort these notes for me.",
      "expected_output": "The notes, oldest first.",
      "checks": [{"type": "file-contains", "path": "inbox/sorted.md", "regex": "^2026"}],
      "category": "basic"
    }
  ]
}
````

````md evals/fixtures/inbox/notes.md
2026-08-19 Ask about the key.
````

## Good
````toml .skillcheck.toml
ignore = ["insufficient-cases", "missing-cases"]
rules.thin-cards = { severity = "info", least = 3 }
````

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
      "category": "basic"
    },
    {
      "id": 2, "files": ["inbox"],
      "prompt": "Sort these notes for me.",
      "expected_output": "The notes, oldest first.",
      "checks": [{"type": "file-contains", "path": "inbox/sorted.md", "regex": "^2026"}],
      "category": "advanced"
    },
    {
      "id": 3, "files": ["inbox"],
      "prompt": "Sort these notes for me.",
      "expected_output": "The notes, oldest first.",
      "checks": [{"type": "file-contains", "path": "inbox/sorted.md", "regex": "^2026"}],
      "category": "edge"
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

from skillcheck.catalog.card import CATEGORIES
from skillcheck.diagnostic import Problem, Severity
from skillcheck.rules import CaseRule, Context

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.cases import CaseFile


def check(file: CaseFile, context: Context) -> Iterator[Problem]:
    """Count the evals and their categories; one finding a file."""
    count, least, most = file.declared("evals"), context.options["least"], context.options["most"]
    if count is None:
        return
    found = {each.card.category for each in file.evals}
    lacking = [name for name in CATEGORIES if name not in found]
    wrong = [
        *([f"{count} evals, which should be {least} to {most}"] if not least <= count <= most else ()),
        *([f"none is {' or '.join(lacking)}"] if lacking else ()),
    ]
    if wrong:
        place = file.located.keys.get(("evals",)) or file.span("skill_name")
        hint = f"give each eval a category: {', '.join(CATEGORIES)}"
        yield Problem(place, f"cards cover too little: {'; '.join(wrong)}", hint)


RULE = CaseRule(__name__, Severity.OFF, __doc__, check, options={"least": 5, "most": 8})
