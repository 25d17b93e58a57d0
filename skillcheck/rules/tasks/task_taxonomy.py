"""The category or the difficulty of a task is no word of the taxonomy.

Results are compared by these words. The categories are those of SkillsBench 1.1; in layout 1.0, which had others, an
unknown one is only a warning. The difficulty is easy, medium or hard.

## Bad
````md tasks/count-stars/task.md
---
schema_version: "1.3"
metadata:
  category: natural-sciences
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

RULE = Rule(__name__, Severity.ERROR, __doc__)
