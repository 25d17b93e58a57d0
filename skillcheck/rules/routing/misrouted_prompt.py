"""A positive prompt does not rank its skill high enough.

The scores compare words, stemmed and weighted by how rare they are among the catalog's descriptions. A prompt for which
`top_k` other skills or more score better tells that the description lacks the words that users say, or that another one
claims them. Mend a description, or hand the work off in one; never soften the prompt.

The help names the words that pulled the winner up, and the prompt's words that this description lacks.

## Bad
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {
    "positive": [
      {"prompt": "put the notes into the weekly mail for the team", "top_k": 1}
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
      {"prompt": "put the notes into the weekly mail for the team", "top_k": 1}
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
    """Prompts whose skill is out of reach however ties are broken."""
    for routed in routing.selected("positive"):
        outcome, top_k = routed.outcome, routed.outcome.query.top_k
        if outcome.best_rank is None or outcome.best_rank <= top_k:
            continue
        need = "needs to be first" if top_k == 1 else f"needs to be in the first {top_k}"
        message = (
            f"positive prompt {routed.quoted} ranks #{outcome.rank}, {need}:"
            f" {outcome.winner} wins by {outcome.winner_score - outcome.score:.3f}"
            f" ({outcome.winner_score:.3f} against {outcome.score:.3f})"
        )
        yield routed.file.shown, Problem(routed.span, message, explain(routing, routed))


RULE = RouteRule(__name__, Severity.ERROR, __doc__, check)
