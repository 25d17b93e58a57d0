"""The file has no frontmatter, or it is never closed.

Hosts read `name` and `description` from a YAML block between two lines of exactly three dashes, the first of which is
the first line of the file. Without it the skill is invisible everywhere.

Source: agentskills.io/specification, "SKILL.md format".

## Bad
````md skills/tidy-notes/SKILL.md
# Tidy notes

Sort the notes by date.
````

## Good
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

# Tidy notes

Sort the notes by date.
````
"""

from skillcheck.diagnostic import Severity
from skillcheck.rules import Rule

RULE = Rule(__name__, Severity.ERROR, __doc__)
