"""A change lowers the frozen rank-1 floor.

`--against REF` compares the ratchet file with the one at that git revision. The floor only rises: an entry that is
lower or gone hides a loss. An entry of a skill that left the catalog may go. (In the examples, `before` marks a file as
it was at that revision.)

## Bad
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
````json evals/ratchet.json before
{"schema_version": 1, "catalog": 100, "skills": {"tidy-notes": 100}}
````
````json evals/ratchet.json
{"schema_version": 1, "catalog": 90, "skills": {"tidy-notes": 100}}
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
````json evals/ratchet.json before
{"schema_version": 1, "catalog": 90, "skills": {"tidy-notes": 90}}
````
````json evals/ratchet.json
{"schema_version": 1, "catalog": 100, "skills": {"tidy-notes": 100}}
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem, Severity
from skillcheck.router.ratchet import Floor, lowered
from skillcheck.rules import Context, RouteRule
from skillcheck.span import START

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.routing import Routing


def check(routing: Routing, context: Context) -> Iterator[tuple[str, Problem]]:
    """Entries of the earlier floor that are lower or gone; without `--against` there is none."""
    if routing.before is None:
        return
    path = routing.catalog.show(context.catalog.config.ratchet)
    for lowering in lowered(routing.before, routing.floor or Floor(0.0, {})):
        if lowering.skill is not None and lowering.skill not in routing.by_name:
            continue
        what = f"the floor of {lowering.skill}" if lowering.skill else "the catalog's floor"
        now = "is gone" if lowering.new is None else f"falls to {lowering.new:.2f} %"
        yield path, Problem(START, f"{what} {now}; it was {lowering.old:.2f} %", "put the earlier value back")


RULE = RouteRule(__name__, Severity.ERROR, __doc__, check)
