"""Blank lines or a comment stand before the frontmatter.

Most hosts look for --- in the first bytes of the file. With anything before it, they see no frontmatter and no skill,
or take the comment for the description. `--fix` removes blank lines and moves comments below the frontmatter.

A licence header may stand anywhere below the frontmatter, or in it as YAML comments.

Source: agentskills.io/specification, "SKILL.md format".

## Bad
````md skills/tidy-notes/SKILL.md
<!-- Copyright 2026 The Note Sorters -->

---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````

## Bad
````md skills/tidy-notes/SKILL.md

---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````

## Good
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

<!-- Copyright 2026 The Note Sorters -->

Sort the notes by date.
````
"""

from skillcheck.diagnostic import Severity
from skillcheck.rules import Rule

RULE = Rule(__name__, Severity.ERROR, __doc__)
