"""A positive prompt is won by less than a tenth of its score.

A small edit of either description flips it. Off by default: every run counts such prompts, and the JSON report has each
margin.

## Bad
````toml .skillcheck.toml
ignore = ["insufficient-cases", "missing-cases"]
[rules]
fragile-prompt = "info"
````
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date and puts them into the weekly mail for the team. Use when a folder of notes has grown.
---

Sort the notes.
````
````md skills/weekly-mail/SKILL.md
---
name: weekly-mail
description: Writes a mail to the team. Not for putting notes into one, use tidy-notes. Use when a week ends.
---

Write the mail.
````
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {
    "positive": [
      {"prompt": "put the notes into the weekly mail for the team"}
    ],
    "negative": []
  },
  "evals": []
}
````

## Good
````toml .skillcheck.toml
ignore = ["insufficient-cases", "missing-cases"]
[rules]
fragile-prompt = "info"
````
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {
    "positive": [
      {"prompt": "notes by date"}
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


def check(routing: Routing, context: Context) -> Iterator[tuple[str, Problem]]:
    """Prompts that rank first with a margin under the option."""
    for routed in routing.selected("positive"):
        outcome = routed.outcome
        if outcome.rank == 1 and outcome.margin is not None and outcome.margin < context.options["margin"]:
            message = f"positive prompt {routed.quoted} is won by {100 * outcome.margin:.0f} % of its score only"
            yield routed.file.shown, Problem(routed.span, message)


RULE = RouteRule(__name__, Severity.OFF, __doc__, check, options={"margin": 0.10})
