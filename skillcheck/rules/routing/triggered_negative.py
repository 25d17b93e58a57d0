"""A negative prompt ranks the skill first.

The description is broader than the skill. Narrow it, or hand this kind of work off in it ("Not for ..., use ..."):
words in such a clause don't count.

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
      {"prompt": "sort the mail by sender"}
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
      {"prompt": "write the weekly mail"}
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
    """Negatives that come first, alone or on a tie; those with an owner are left to `outranked-owner`."""
    for routed in routing.selected("negative"):
        outcome = routed.outcome
        if outcome.best_rank == 1 and outcome.owner_outranks is None:
            message = f"negative prompt {routed.quoted} ranks {outcome.query.skill} first with {outcome.score:.3f}"
            yield routed.file.shown, Problem(routed.span, message, explain(routing, routed))


RULE = RouteRule(__name__, Severity.ERROR, __doc__, check)
