"""Two descriptions say nearly the same.

A model that sees both has nothing to choose by. Similarity is the cosine of the weighted words of the two descriptions;
names and hand-off clauses ("Not for ..., use ...") are left out. Merge the skills, or say what each is for. A pair that
must stay goes into `accepted-collisions` of the settings, with the reason.

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts long notes by date and by topic. Use when a folder of notes has grown too large.
---

Sort the notes.
````
````md skills/weekly-mail/SKILL.md
---
name: weekly-mail
description: Sorts long notes by date and by author. Use when a folder of notes has grown too large.
---

Write the mail.
````
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {
    "positive": [
      {"prompt": "topic"}
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
      {"prompt": "sort notes"}
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
from skillcheck.routing import COLLISION, alike
from skillcheck.rules import Context, RouteRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.routing import Routing


def check(routing: Routing, context: Context) -> Iterator[tuple[str, Problem]]:
    """Pairs at or above the threshold that are not accepted."""
    return alike(routing, context.options["threshold"])


RULE = RouteRule(__name__, Severity.ERROR, __doc__, check, options={"threshold": COLLISION})
