"""A skill file or folder can't be read.

It is no regular file, or the system refuses to open it. What can't be read can't be checked, and hosts pass over it.

Source: agentskills.io/specification, "Directory structure": SKILL.md is a file.

## Bad
````md skills/tidy-notes/SKILL.md/keep.txt
This file makes SKILL.md a folder.
````

## Good
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````
"""

from skillcheck.diagnostic import Severity
from skillcheck.rules import Rule

RULE = Rule(__name__, Severity.ERROR, __doc__)
