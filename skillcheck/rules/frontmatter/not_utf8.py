"""The file is not UTF-8.

Hosts read SKILL.md as UTF-8 and drop what they can't decode, or show it garbled. Save the file as UTF-8. The message
names the encoding where a byte-order mark gives it away, or else the first byte that is wrong.

Source: RFC 3629; agentskills.io/client-implementation.

## Bad
````md skills/tidy-notes/SKILL.md utf-16
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````

## Bad
````md skills/tidy-notes/SKILL.md gbk
---
name: tidy-notes
description: 按日期整理笔记。 Use when a folder of notes has grown.
---

Sort the notes by date.
````

## Good
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: 按日期整理笔记。当笔记太多时使用。
---

Sort the notes by date.
````
"""

from skillcheck.diagnostic import Severity
from skillcheck.rules import Rule

RULE = Rule(__name__, Severity.ERROR, __doc__)
