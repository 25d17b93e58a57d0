"""The descriptions together are longer than what a host lists.

Hosts tell the model about all skills in one list of fixed size and cut the rest without a word, so that some skills
never come up. Claude Code gives the list about 1 % of the context, which is 8,000 characters of 200,000 tokens' worth;
Codex 2 % or 8,000 characters. Counted are `description` and `when_to_use`, as parsed, in code points. A skill with
`disable-model-invocation: true` isn't listed and costs nothing. One finding for the catalog, at the longest
description; none when single skills are checked. `max-characters` sets the budget.

Source: code.claude.com/docs/en/skills; developers.openai.com/codex/skills.

## Bad: more than a budget that is set low here
````toml .skillcheck.toml
[rules.listing-budget]
max-characters = 100
````

````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````

````md skills/merge-notes/SKILL.md
---
name: merge-notes
description: Merges two notes. Use when two notes tell the same thing.
---

Merge the notes.
````

## Good
````toml .skillcheck.toml
[rules.listing-budget]
max-characters = 100
````

````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when notes pile up.
---

Sort the notes by date.
````

````md skills/merge-notes/SKILL.md
---
name: merge-notes
description: Merges notes. Use for notes that say the same.
---

Merge the notes.
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem, Related, Severity
from skillcheck.rules import CatalogRule, Context

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.skill import Skill

SHOWN = 3
"""How many of the longest descriptions are named."""


def check(context: Context) -> Iterator[tuple[str, Problem]]:
    """Add up what is listed of the skills that were asked about."""
    catalog, budget = context.catalog, context.options["max-characters"]
    if catalog.narrowed:
        return
    total = sum(map(_listed, catalog.reported_skills))
    if total <= budget:
        return
    longest = sorted(catalog.reported_skills, key=_listed, reverse=True)[:SHOWN]
    names = ", ".join(f"{skill.name} ({_listed(skill):,})" for skill in longest)
    message = f"the descriptions have {total:,} characters, the budget is {budget:,}; the longest: {names}"
    related = tuple(Related(s.shown, s.value_span("description"), f"{_listed(s):,} characters") for s in longest)
    hint = "hosts cut the list; shorten descriptions, or set disable-model-invocation where only users call the skill"
    yield longest[0].shown, Problem(longest[0].value_span("description"), message, hint, related=related)


def _listed(skill: Skill) -> int:
    """How many characters of a host's list a skill takes."""
    return 0 if skill.is_hidden else len(skill.description) + len(skill.string("when_to_use"))


RULE = CatalogRule(__name__, Severity.WARNING, __doc__, check, options={"max-characters": 8000})
