"""An eval says the same thing twice to its judge, or in its acceptance list.

Twice it counts twice in the fitness index, and a judge may answer one way and then the other. Compared are
expectations, constraints and the texts of acceptance items, each with its own kind, without case, punctuation and
blanks. The finding stands at the second.

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
        {"text": "The notes come by date", "evidence": "checks[0]"},
        {"text": "The notes come by date.", "evidence": "rubric"}
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
        {"text": "The notes come by date", "evidence": "checks[0]"},
        {"text": "No note is lost", "evidence": "rubric"}
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

from skillcheck.catalog.prompts import normal, quoted
from skillcheck.diagnostic import Problem, Related, Severity
from skillcheck.rules import CaseRule, Context

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.cases import CaseFile, Eval

    Places = Iterator[tuple[str, str, tuple[str | int, ...]]]


def check(file: CaseFile, _context: Context) -> Iterator[Problem]:
    """Compare the statements of each eval with those of the same kind."""
    for each in file.evals:
        first: dict[tuple[str, str], tuple[str | int, ...]] = {}
        for kind, text, at in _statements(each):
            before = first.setdefault((kind, normal(text)), at)
            if before != at and normal(text):
                span = file.span(*each.at, *before)
                message = f"the {kind} stands twice in eval {each.id!r}: {quoted(text)}"
                related = Related(file.shown, span, "is the same")
                hint = f"line {span.line} has it already; keep one"
                yield Problem(file.span(*each.at, *at), message, hint, related=(related,))


def _statements(case: Eval) -> Places:
    """Kind, text, and the way to it from the eval."""
    yield from (("expectation", text, ("expectations", index)) for index, text in enumerate(case.expectations))
    yield from (("constraint", text, ("constraints", index)) for index, text in enumerate(case.card.constraints))
    for index, item in enumerate(case.card.acceptance):
        yield "acceptance item", item.text, ("acceptance", index, "text")


RULE = CaseRule(__name__, Severity.WARNING, __doc__, check)
