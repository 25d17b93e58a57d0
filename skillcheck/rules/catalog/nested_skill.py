"""A skill file lies inside another skill.

Hosts that look no further than the first SKILL.md on the way down never load the inner one, and its folder counts as
material of the outer skill. Hosts that search on load both, so that one request meets two skills. A group folder,
which has no SKILL.md itself, may hold as many skills as you like.

Source: agentskills.io/specification, "directory structure": one skill is one directory.

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````

````md skills/tidy-notes/parts/merge-notes/SKILL.md
---
name: merge-notes
description: Merges two notes. Use when two notes tell the same thing.
---

Merge the notes.
````

## Good
````md skills/notes/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````

````md skills/notes/merge-notes/SKILL.md
---
name: merge-notes
description: Merges two notes. Use when two notes tell the same thing.
---

Merge the notes.
````
"""

from skillcheck.diagnostic import Severity
from skillcheck.rules import Rule

RULE = Rule(__name__, Severity.WARNING, __doc__)
