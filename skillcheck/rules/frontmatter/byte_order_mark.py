"""The file begins with a byte-order mark.

Some editors put this invisible character, U+FEFF, at the start of UTF-8 files. UTF-8 needs none, and hosts that look
for --- at byte 0 find no frontmatter behind it. Columns of the first line don't count it. `--fix` removes it.

Source: agentskills.io/specification, "SKILL.md format"; RFC 3629, section 6.

## Bad
````md skills/tidy-notes/SKILL.md utf-8-sig
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

RULE = Rule(__name__, Severity.WARNING, __doc__)
