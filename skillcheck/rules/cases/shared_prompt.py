"""Two skills claim one prompt.

It is positive in both case files, so at most one of them can be first; then one description reaches too far, or one
file is wrong. Compared is what is left without case, punctuation and blanks. One finding for a prompt, at the later
file, with the others as related places.

## Bad
````toml .skillcheck.toml
ignore = ["insufficient-cases"]
````

````md skills/weekly-mail/SKILL.md
---
name: weekly-mail
description: Writes the weekly mail from the notes of a week. Use when a week ends.
---

Write the mail.
````

````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {
    "positive": [
      {"prompt": "the notes of that folder as a weekly mail"}
    ],
    "negative": [
      {"prompt": "write the weekly mail", "owner": "weekly-mail"}
    ]
  }
}
````

````json evals/cases/weekly-mail.json
{
  "skill_name": "weekly-mail",
  "trigger": {
    "positive": [
      {"prompt": "The notes of that folder as a weekly mail!"}
    ],
    "negative": [
      {"prompt": "sort the notes in that folder", "owner": "tidy-notes"}
    ]
  }
}
````

## Good
````toml .skillcheck.toml
ignore = ["insufficient-cases"]
````

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

````json evals/cases/weekly-mail.json
{
  "skill_name": "weekly-mail",
  "trigger": {
    "positive": [
      {"prompt": "the weekly mail to the team, please"}
    ],
    "negative": [
      {"prompt": "sort the notes in that folder", "owner": "tidy-notes"}
    ]
  }
}
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.catalog.prompts import normal, quoted
from skillcheck.diagnostic import Problem, Related, Severity
from skillcheck.rules import CatalogRule, Context

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.cases import CaseFile, Prompt


def check(context: Context) -> Iterator[tuple[str, Problem]]:
    """Compare the positive prompts of all files."""
    found: dict[str, dict[str, tuple[CaseFile, Prompt]]] = {}
    for file in context.catalog.case_files:
        if file.stem in context.catalog.known:
            for prompt in file.positives:
                found.setdefault(normal(prompt.text), {}).setdefault(file.stem, (file, prompt))
    reported = {file.stem for file in context.catalog.reported_cases}
    for words, claims in found.items():
        last = next((stem for stem in reversed(claims) if stem in reported), None)
        if words and last and len(claims) > 1:
            file, prompt = claims.pop(last)
            yield file.shown, _problem(file, prompt, list(claims.values()))


def _problem(file: CaseFile, prompt: Prompt, others: list[tuple[CaseFile, Prompt]]) -> Problem:
    names = ", ".join(repr(other.stem) for other, _ in sorted((*others, (file, prompt)), key=lambda pair: pair[0].stem))
    places = ", ".join(other.shown for other, _ in others)
    related = tuple(Related(o.shown, o.span(*p.at, "prompt"), f"positive for {o.stem!r} too") for o, p in others)
    message = f"the prompt {quoted(prompt.text)} is positive for {names}"
    return Problem(file.span(*prompt.at, "prompt"), message, f"{places} has it too; keep it in one", related=related)


RULE = CatalogRule(__name__, Severity.WARNING, __doc__, check)
