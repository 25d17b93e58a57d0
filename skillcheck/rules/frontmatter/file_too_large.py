"""The file is larger than a megabyte and isn't read.

No model can take in an instruction file of this size; what is so large was put here by accident. Material that a skill
needs now and then belongs in files beside SKILL.md, which the agent opens when it gets there.

Source: agentskills.io/specification, "Progressive disclosure".

## Bad
````md skills/tidy-notes/SKILL.md 50000x
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

Sort the notes by date.
````
"""

from skillcheck.diagnostic import Severity
from skillcheck.rules import Rule

RULE = Rule(__name__, Severity.ERROR, __doc__)
