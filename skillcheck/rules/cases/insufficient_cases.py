"""A case file has fewer prompts or evals than the minimum.

A rate over one or two prompts tells nothing, and without negatives nobody sees that a skill takes the requests of
others. The minimums are the options `positives` (3), `negatives` (2) and `evals` (1); a catalog that only routes sets
`evals = 0`. Counted are declared entries, also those that have faults of their own. A skill with
`disable-model-invocation: true` is called by users alone, so it needs evals and no prompts.

Source: the eval format of addyosmani/agent-skills.

## Bad
````toml .skillcheck.toml
ignore = ["missing-cases"]
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

## Good
````toml .skillcheck.toml
ignore = ["missing-cases"]
````

````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {
    "positive": [
      {"prompt": "sort notes by date"},
      {"prompt": "my notes folder has grown, sort it"},
      {"prompt": "bring a folder of notes in order of date"}
    ],
    "negative": [
      {"prompt": "write the weekly mail to the team", "owner": "weekly-mail"},
      {"prompt": "mail the team that the week ends", "owner": "weekly-mail"}
    ]
  },
  "evals": [
    {
      "id": 1, "kind": "dialogue",
      "prompt": "Sort these notes for me.",
      "expected_output": "The notes, oldest first.",
      "expectations": ["The notes come by date"]
    }
  ]
}
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem, Severity
from skillcheck.rules import CaseRule, Context

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.cases import CaseFile
    from skillcheck.span import Span

_LISTS = (("positives", ("trigger", "positive")), ("negatives", ("trigger", "negative")), ("evals", ("evals",)))


def check(file: CaseFile, context: Context) -> Iterator[Problem]:
    """Count the three lists; one finding, at the first that is short."""
    skills = context.catalog.names.get(file.stem, ())
    hidden = bool(skills) and all(skill.is_hidden for skill in skills)
    short = []
    for name, path in _LISTS:
        need = 0 if hidden and name != "evals" else context.options[name]
        count = file.declared(*path)
        if count is not None and count < need:
            short.append((path, f"{count} of {need} {name}"))
    if short:
        hint = (
            "take prompts from what users really say; a catalog that only routes sets evals to 0 in this rule's options"
        )
        yield Problem(_place(file, short[0][0]), f"too few cases: {', '.join(text for _, text in short)}", hint)


def _place(file: CaseFile, path: tuple[str, ...]) -> Span:
    """The key of the list, or else of what should hold it, or else the name."""
    keys = file.located.keys
    return next((keys[p] for p in (path, path[:1]) if p in keys), file.span("skill_name"))


RULE = CaseRule(__name__, Severity.ERROR, __doc__, check, options={"positives": 3, "negatives": 2, "evals": 1})
