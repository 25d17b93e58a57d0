"""A positive prompt is a tie between its skill and another.

Both score the same, so that nothing but chance decides. A tie is never won: it counts against the rank-1 rate. Give
one of the descriptions a word that tells them apart.

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts drafts. Use when papers pile.
---

Sort the notes.
````
````md skills/weekly-mail/SKILL.md
---
name: weekly-mail
description: Writes drafts. Use when friends wait.
---

Write the mail.
````
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {
    "positive": [
      {"prompt": "drafts please"}
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
description: Sorts drafts. Use when papers pile.
---

Sort the notes.
````
````md skills/weekly-mail/SKILL.md
---
name: weekly-mail
description: Writes drafts. Use when friends wait.
---

Write the mail.
````
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {
    "positive": [
      {"prompt": "sort drafts please"}
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
    """Prompts that would pass if their skill won every tie, and don't come first because of one."""
    for routed in routing.selected("positive"):
        outcome = routed.outcome
        if outcome.best_rank is None or outcome.best_rank > outcome.query.top_k or outcome.rank == outcome.best_rank:
            continue
        skill = outcome.query.skill
        if skill in outcome.tied:
            others = ", ".join(name for name in outcome.tied if name != skill)
            message = f"positive prompt {routed.quoted} is a tie with {others} at {outcome.score:.3f}"
        elif outcome.rank is not None and outcome.rank > outcome.query.top_k:
            message = (
                f"positive prompt {routed.quoted} ranks between #{outcome.best_rank} and #{outcome.rank}"
                f" on a tie at {outcome.score:.3f}"
            )
        else:
            continue
        yield routed.file.shown, Problem(routed.span, message, "give one description a word that tells them apart")


RULE = RouteRule(__name__, Severity.WARNING, __doc__, check)
