"""One skill takes several positive prompts of another.

Among labelled prompts this is the better sign of a collision than alike descriptions: most pairs that take prompts from
each other share few words. It fires from two prompts and 15 % of a skill's prompts on. Tell the two apart in their
descriptions, or merge them. A pair whose descriptions collide is reported as such, not here.

## Bad
````toml .skillcheck.toml
ignore = ["insufficient-cases", "missing-cases"]
[rules]
unmatched-prompt = "off"
````
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts things by date. Use when things pile up.
---

Sort the notes.
````
````md skills/weekly-mail/SKILL.md
---
name: weekly-mail
description: Writes a mail about notes and a folder of papers. Use when a week ends.
---

Write the mail.
````
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {
    "positive": [
      {"prompt": "a folder of notes"},
      {"prompt": "papers in a folder"},
      {"prompt": "notes, sorted"},
      {"prompt": "things by date"}
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
      {"prompt": "a folder of notes"},
      {"prompt": "notes in a folder"},
      {"prompt": "notes, sorted"},
      {"prompt": "sort by date"}
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
    """Pairs of skills in the confusion matrix that reach both options."""
    files = {routed.outcome.query.skill: routed.file for routed in routing.prompts}
    least, share = context.options["prompts"], context.options["share"]
    colliding = {frozenset({pair.a, pair.b}) for pair in routing.collisions if pair.similarity >= routing.collide_from}
    for victim, takers in routing.quality.confusion.items():
        total = routing.quality.skills[victim].scoreable
        skill = routing.by_name[victim]
        for taker, count in takers.items():
            if count < least or count < share * total or skill.shown not in routing.catalog.selected:
                continue
            if frozenset({victim, taker}) in colliding:
                continue
            message = f"{taker} takes {count} of {total} positive prompts of {victim}"
            hint = "tell the two descriptions apart, or merge the skills"
            yield files[victim].shown, Problem(files[victim].span("trigger", "positive"), message, hint)


RULE = RouteRule(__name__, Severity.WARNING, __doc__, check, options={"prompts": 2, "share": 0.15})
