"""A positive prompt is copied from the description.

It reaches the skill because it is the skill's own text, so it tells nothing about what users say. Meant are five words
or more that stand in the description in this order, case and punctuation aside.

## Bad
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {
    "positive": [
      {"prompt": "A folder of notes has grown"}
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
      {"prompt": "sort notes by date"}
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
from skillcheck.diagnostic import Problem, Severity
from skillcheck.rules import CaseRule, Context

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.cases import CaseFile


MIN_WORDS = 5
"""Fewer words in a row are often just how the thing is called."""


def check(file: CaseFile, context: Context) -> Iterator[Problem]:
    """Look for each positive prompt in the skill's description."""
    skill = next(iter(context.catalog.names.get(file.stem, ())), None)
    if skill is None:
        return
    description = f" {normal(skill.description)} "
    for prompt in file.positives:
        words = normal(prompt.text)
        if len(words.split()) >= MIN_WORDS and f" {words} " in description:
            message = f"the prompt {quoted(prompt.text)} is copied from the description"
            yield Problem(file.span(*prompt.at, "prompt"), message, "write it as a user would say it")


RULE = CaseRule(__name__, Severity.INFO, __doc__, check)
