"""A positive prompt shares no word with its skill.

Nothing in the name or the description of the skill occurs in the prompt, in any form, so a router that compares words
scores it 0. Add the words that users say to the description.

## Bad
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {
    "positive": [
      {"prompt": "sort my notes"},
      {"prompt": "arrange papers"}
    ],
    "negative": []
  },
  "evals": []
}
````

## Good
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes and papers by date. Use when a folder of notes has grown.
---

Sort the notes.
````
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {
    "positive": [
      {"prompt": "sort my notes"},
      {"prompt": "arrange papers"}
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
from skillcheck.routing import explain
from skillcheck.rules import Context, RouteRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.routing import Routing


def check(routing: Routing, _context: Context) -> Iterator[tuple[str, Problem]]:
    """Scoreable positive prompts with a score of 0."""
    for routed in routing.selected("positive"):
        if routed.outcome.scoreable and routed.outcome.rank is None:
            message = f"the description shares no vocabulary with the positive prompt {routed.quoted}"
            yield routed.file.shown, Problem(routed.span, message, explain(routing, routed))


RULE = RouteRule(__name__, Severity.ERROR, __doc__, check)
