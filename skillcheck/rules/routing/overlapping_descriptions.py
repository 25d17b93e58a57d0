"""Two descriptions share much of their vocabulary.

They may be siblings that share the words of their product, or two skills that claim the same work: the shared words
tell. See `colliding-descriptions`, which takes over from its own threshold on.

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
description: Sorts long mail by date and by topic. Use when a folder of mail has grown too large.
---

Write the mail.
````
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
from skillcheck.routing import OVERLAP, alike
from skillcheck.rules import Context, RouteRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.routing import Routing


def check(routing: Routing, context: Context) -> Iterator[tuple[str, Problem]]:
    """Pairs from this threshold up to that of collisions."""
    return alike(routing, context.options["threshold"], routing.collide_from)


RULE = RouteRule(__name__, Severity.WARNING, __doc__, check, options={"threshold": OVERLAP})
