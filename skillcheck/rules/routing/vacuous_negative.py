"""A negative prompt matches no skill at all.

It passes whatever the description says, so it is no evidence. Take a prompt that belongs to a sibling and name that as
its `owner`, or one that shares words with the skill. Vacuous negatives don't count as passed.

## Bad
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {
    "positive": [],
    "negative": [
      {"prompt": "stain the kitchen table"}
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
      {"prompt": "mail the table of the week", "owner": "weekly-mail"}
    ]
  },
  "evals": []
}
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem, Severity
from skillcheck.rules import Context, RouteRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.routing import Routing


def check(routing: Routing, _context: Context) -> Iterator[tuple[str, Problem]]:
    """Negatives for which nothing scores."""
    for routed in routing.selected("negative"):
        if routed.outcome.vacuous:
            message = f"negative prompt {routed.quoted} matches nothing (vacuous)"
            owner = routed.prompt.owner
            hint = f"use words of the work of {owner}" if owner else "declare an owner and use words of its work"
            yield routed.file.shown, Problem(routed.span, message, hint)


RULE = RouteRule(__name__, Severity.WARNING, __doc__, check)
