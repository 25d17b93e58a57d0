"""A folder is a task of both layouts, or of neither.

Layout 1.1 has a task.md; 1.0 has an instruction.md, and a task.toml with the settings. BenchFlow reads only the first
where both are there, so that what the others say would count for nothing.

## Bad
````md tasks/count-stars/instruction.md
Count the stars.
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
