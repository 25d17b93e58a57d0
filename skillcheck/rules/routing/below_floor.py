"""The rank-1 rate is below the floor.

The floor is `--min-rank1`, and the frozen one of the ratchet file, for the catalog and for each skill in it. Mend the
descriptions that the change touched. `skillcheck route --raise-ratchet` raises the frozen floor after an improvement;
nothing lowers it but an edit of the file, which `--against` reports.

## Bad
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {
    "positive": [
      {"prompt": "the weekly mail to the team, as notes"}
    ],
    "negative": []
  },
  "evals": []
}
````
````json evals/ratchet.json
{"schema_version": 1, "catalog": 100, "skills": {"tidy-notes": 100}}
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
````json evals/ratchet.json
{"schema_version": 1, "catalog": 100, "skills": {"tidy-notes": 100}}
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem, Severity
from skillcheck.router.ratchet import Shortfall, below
from skillcheck.rules import Context, RouteRule
from skillcheck.span import START

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.routing import Routing


def check(routing: Routing, context: Context) -> Iterator[tuple[str, Problem]]:
    """The command line's floor first, then the frozen ones."""
    rate, least = routing.quality.rank1.percent, routing.least
    if least is not None and (rate is None or rate < least):
        found = "no positive prompt can be scored" if rate is None else f"rank-1 is {rate:.2f} %"
        message = f"{found}, below the {least:g} % that --min-rank1 asks for"
        place = routing.catalog.show(routing.catalog.config.cases)
        yield place, Problem(START, message)
    config = context.catalog.config
    for shortfall in below(routing.floor, routing.quality) if routing.floor else ():
        yield routing.catalog.show(config.ratchet), Problem(START, _message(shortfall), "mend what the change touched")


def _message(shortfall: Shortfall) -> str:
    what = f"rank-1 of {shortfall.skill}" if shortfall.skill else "rank-1"
    rate = "can't be measured" if shortfall.rate is None else f"is {shortfall.rate:.2f} %"
    return f"{what} {rate}, below the frozen floor of {shortfall.floor:.2f} %"


RULE = RouteRule(__name__, Severity.ERROR, __doc__, check)
