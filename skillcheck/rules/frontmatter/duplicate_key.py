"""A key stands twice in one mapping.

YAML forbids it. Some readers take the last value, some the first, others refuse the file, so what a host shows depends
on the host. The finding stands at the second key.

Source: yaml.org/spec/1.2.2, section 3.2.1.3 "Node Comparison": keys of a mapping are unique.

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
description: Sorts notes. Use when notes pile up.
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
