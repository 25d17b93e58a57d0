"""A suppression comment gives no reason.

Whoever comes next can't tell whether the finding is wrong, accepted for good, or waiting for somebody. Write two dashes
after the rules, and why.

## Bad
````md skills/tidy-notes/SKILL.md
---
name: note-tidier # skillcheck-disable-line name-directory-mismatch
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````

## Good
````md skills/tidy-notes/SKILL.md
---
name: note-tidier # skillcheck-disable-line name-directory-mismatch -- the directory can't be renamed yet
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````
"""

from skillcheck.diagnostic import Severity
from skillcheck.rules import Rule

RULE = Rule(__name__, Severity.WARNING, __doc__)
