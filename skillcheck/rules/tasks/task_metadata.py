"""A key of a task's metadata is nearly one that is read.

Any key may stand in `metadata`, so a misspelled one is no fault by the schema; but what it says reaches nobody.

## Bad
````md tasks/count-stars/task.md
---
schema_version: "1.3"
metadata:
  category: natural-science
  tag: [sky]
  difficulty: easy
verifier:
  timeout_sec: 30
agent:
  timeout_sec: 60
---

Count the stars in sky.txt and write their number into stars.txt.
````

## Good
````md tasks/count-stars/task.md
---
schema_version: "1.3"
metadata:
  category: natural-science
  tags: [sky]
  difficulty: easy
verifier:
  timeout_sec: 30
agent:
  timeout_sec: 60
---

Count the stars in sky.txt and write their number into stars.txt.
````
"""

from __future__ import annotations

from skillcheck.diagnostic import Severity
from skillcheck.rules import Rule

RULE = Rule(__name__, Severity.WARNING, __doc__)
