"""A folder among the skills holds no skill.

Mostly the SKILL.md was forgotten, or bears another name, and the skill is missing without a word. Only the topmost
such folder is named. Folders that skills share are left alone: those whose names begin with `_` or `.`, and `assets`,
`common`, `docs`, `examples`, `lib`, `references`, `scripts`, `shared`, `templates`. So are folders inside a skill.

Source: agentskills.io/specification, "directory structure": the file that every skill has is SKILL.md.

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````

````md skills/merge-notes/README.md
# Merge notes

Merge the notes.
````

## Good
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````

````md skills/_shared/dates.md
Dates are written 2026-08-19.
````
"""

from skillcheck.diagnostic import Severity
from skillcheck.rules import Rule

RULE = Rule(__name__, Severity.WARNING, __doc__)
