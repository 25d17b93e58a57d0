"""A prompt stands twice in one case file.

Twice in one list it counts twice and makes up the minimum without telling anything new; positive and negative it
can't hold at all. Compared is what is left without case, punctuation and blanks. The finding stands at the second.

## Bad
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {
    "positive": [
      {"prompt": "sort notes by date"},
      {"prompt": "Sort notes by date!"}
    ],
    "negative": [
      {"prompt": "write the weekly mail to the team", "owner": "weekly-mail"}
    ]
  }
}
````

## Good
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {
    "positive": [
      {"prompt": "sort notes by date"},
      {"prompt": "a folder of notes has grown, sort it"}
    ],
    "negative": [
      {"prompt": "write the weekly mail to the team", "owner": "weekly-mail"}
    ]
  }
}
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.catalog.prompts import normal, quoted
from skillcheck.diagnostic import Problem, Related, Severity
from skillcheck.rules import CaseRule, Context

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.cases import CaseFile, Prompt


def check(file: CaseFile, _context: Context) -> Iterator[Problem]:
    """Compare all trigger prompts of the file."""
    first: dict[str, Prompt] = {}
    for prompt in (*file.positives, *file.negatives):
        words = normal(prompt.text)
        other = first.setdefault(words, prompt)
        if not words or other is prompt:
            continue
        kind, before = prompt.at[1], other.at[1]
        message = "the prompt stands twice" if kind == before else f"the prompt is {before} and {kind}"
        span = file.span(*other.at, "prompt")
        related = Related(file.shown, span, "is the same")
        hint = f"line {span.line} has it already; keep one"
        yield Problem(file.span(*prompt.at, "prompt"), f"{message}: {quoted(prompt.text)}", hint, related=(related,))


RULE = CaseRule(__name__, Severity.WARNING, __doc__, check)
