"""A positive prompt has no word that can be scored.

It is empty, or made of signs and of words without a topic ("help me with this"). It can reach no skill and counts in no
rate. Write what a user would say to get this skill.

## Bad
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {
    "positive": [
      {"prompt": "sort my notes"},
      {"prompt": "help me with this"}
    ],
    "negative": []
  },
  "evals": []
}
````

## Good
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {
    "positive": [
      {"prompt": "sort my notes"},
      {"prompt": "help me with these notes"}
    ],
    "negative": []
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
    """Positive prompts without a token."""
    for routed in routing.selected("positive"):
        if not routed.outcome.scoreable:
            blank = not routed.prompt.text.strip()
            message = "the prompt is empty" if blank else f"the prompt {routed.quoted} has no scoreable tokens"
            yield routed.file.shown, Problem(routed.span, message, "write what a user would say")


RULE = RouteRule(__name__, Severity.ERROR, __doc__, check)
