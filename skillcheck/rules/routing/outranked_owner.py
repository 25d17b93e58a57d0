"""A negative prompt does not rank its owner above the skill.

`owner` names the skill that the prompt belongs to; it must score more than this one, a tie is not enough. Narrow this
description, or give the owner's the words of the prompt.

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date and writes mail. Use when a folder of notes has grown.
---

Sort the notes.
````
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {
    "positive": [],
    "negative": [
      {"prompt": "sort the notes for the mail", "owner": "weekly-mail"}
    ]
  },
  "evals": []
}
````

## Good
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {
    "positive": [],
    "negative": [
      {"prompt": "write the weekly mail", "owner": "weekly-mail"}
    ]
  },
  "evals": []
}
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem, Severity
from skillcheck.routing import explain
from skillcheck.rules import Context, RouteRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.routing import Routing


def check(routing: Routing, _context: Context) -> Iterator[tuple[str, Problem]]:
    """Negatives whose owner scores no more than the skill; those that match nothing are vacuous instead."""
    for routed in routing.selected("negative"):
        outcome, query = routed.outcome, routed.outcome.query
        if outcome.owner_score is None or outcome.owner_outranks or outcome.vacuous:
            continue
        message = (
            f"owner {query.owner} does not outrank {query.skill} for the negative prompt {routed.quoted}:"
            f" {outcome.owner_score:.3f} against {outcome.score:.3f}"
        )
        yield routed.file.shown, Problem(routed.span, message, explain(routing, routed))


RULE = RouteRule(__name__, Severity.ERROR, __doc__, check)
