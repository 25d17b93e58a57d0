"""A slash command has no description, or another one than its twin for another host.

Users of all hosts should read the same about one command; drift shows that an edit was made in one folder only. The
finding stands at the file that differs from most others, or from the Markdown one. TOML and YAML are parsed, so quotes,
escapes and folded lines make no difference, and a description inside the prompt is none. As with command-parity, whose
`aliases` decide which commands are twins, a catalog with one dialect alone is left in peace.

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
description: Sort the notes by date
---

Use the tidy-notes skill.
````

````toml commands/tidy.toml
description = "Sort the notes"
prompt = "Use the tidy-notes skill."
````

## Bad: none at all
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
prompt = "Use the tidy-notes skill."
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
description: Sort the "notes"
---

Use the tidy-notes skill.
````

````toml commands/tidy.toml
description = 'Sort the "notes"'
prompt = "Use the tidy-notes skill."
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.catalog.twins import twins
from skillcheck.diagnostic import Problem, Related, Severity
from skillcheck.rules import CatalogRule, Context
from skillcheck.rules.catalog import command_parity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.commands import Command


def check(context: Context) -> Iterator[tuple[str, Problem]]:
    """Each file without a description; where all have one, one finding for each set of twins that differ."""
    catalog, parity = context.catalog, command_parity.RULE
    if catalog.narrowed:
        return
    aliases = catalog.config.option(parity.name, "aliases", parity.options["aliases"])
    for group in twins(catalog.commands, aliases):
        mute = [command for command in group.commands if command.description is None]
        for command in mute:
            message = f"command {command.stem!r} has no description that can be read: {command.reason}"
            yield command.shown, Problem(command.span, message, "say in one line what the command does")
        if not mute and len({command.description for command in group.commands}) > 1:
            yield _drift(group.commands)


def _drift(commands: tuple[Command, ...]) -> tuple[str, Problem]:
    texts = [command.description for command in commands]
    usual = max(texts, key=texts.count)
    odd = next(command for command in commands if command.description != usual)
    values = ", ".join(f"{command.folder} {command.description!r}" for command in commands)
    related = tuple(Related(c.shown, c.span, f"{c.description!r} here") for c in commands if c is not odd)
    message = f"the descriptions of command {odd.stem!r} differ: {values}"
    return odd.shown, Problem(odd.span, message, "give all of them the same text", related=related)


RULE = CatalogRule(__name__, Severity.ERROR, __doc__, check)
