"""A slash command exists in one host's folder and not in another's.

A catalog that offers its commands to several hosts keeps each as Markdown in `.claude/commands` and as TOML in
`.gemini/commands` and `commands`. A twin that is missing is a command that some users don't have. Only folders that
hold commands count, and a catalog with one dialect alone is left in peace. The finding stands at the file that has no
twin. `aliases` maps names of Markdown commands to those that TOML commands bear instead: Claude Code has its own
`/plan`, Gemini CLI its own words, hence `{plan = "planning"}`. A twin of the same name comes first.

Source: the command validator of addyosmani/agent-skills.

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````

````md .claude/commands/tidy.md
---
description: Sort the notes
---

Use the tidy-notes skill.
````

````md .claude/commands/plan.md
---
description: Plan the week
---

Plan the week.
````

````toml commands/planning.toml
description = "Plan the week"
prompt = "Plan the week."
````

## Good
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````

````md .claude/commands/tidy.md
---
description: Sort the notes
---

Use the tidy-notes skill.
````

````toml commands/tidy.toml
description = "Sort the notes"
prompt = "Use the tidy-notes skill."
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.catalog.twins import twins
from skillcheck.diagnostic import Problem, Related, Severity
from skillcheck.rules import CatalogRule, Context
from skillcheck.span import START

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.commands import Command


def check(context: Context) -> Iterator[tuple[str, Problem]]:
    """One finding for each command that lacks a twin in any folder."""
    if context.catalog.narrowed:
        return
    for group in twins(context.catalog.commands, context.options["aliases"]):
        if group.missing:
            yield group.commands[0].shown, _problem(group.commands, group.missing)


def _problem(commands: tuple[Command, ...], missing: tuple[str, ...]) -> Problem:
    message = f"command {commands[0].stem!r} is missing in {', '.join(missing)}"
    related = tuple(Related(other.shown, START, "is here") for other in commands[1:])
    return Problem(START, message, "add its twin there, or take the command out everywhere", related=related)


RULE = CatalogRule(__name__, Severity.ERROR, __doc__, check, options={"aliases": {"plan": "planning"}})
