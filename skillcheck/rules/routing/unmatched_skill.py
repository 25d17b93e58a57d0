"""None of a skill's positive prompts shares a word with it.

The description and the prompts speak of different things, or different languages. One finding says it for the skill;
the prompts are listed beside it as `unmatched-prompt`.

## Bad
````toml .skillcheck.toml
ignore = ["insufficient-cases", "missing-cases"]
[rules]
unmatched-prompt = "off"
````
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {
    "positive": [
      {"prompt": "arrange papers"}
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
      {"prompt": "arrange notes"}
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
    """Skills with scoreable positive prompts, all of which score 0."""
    found: dict[str, list[bool]] = {}
    for routed in routing.selected("positive"):
        if routed.outcome.scoreable:
            found.setdefault(routed.file.shown, []).append(routed.outcome.rank is not None)
    for file in routing.catalog.case_files:
        scored = found.get(file.shown)
        if scored and not any(scored):
            message = f"{file.stem}: 0 of {len(scored)} positive prompts score above zero"
            hint = "write the description in the words of its users"
            yield file.shown, Problem(file.span("trigger", "positive"), message, hint)


RULE = RouteRule(__name__, Severity.ERROR, __doc__, check)
