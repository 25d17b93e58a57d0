"""A task has a setting that nothing reads.

Most are misspelled, or belong to the other layout: what layout 1.1 calls `sandbox` is `environment` in 1.0, and its
sizes are numbers of megabytes. Below `metadata` any key is free. Tasks for several agents or turns are not run here.

## Bad
````md tasks/count-stars/task.md
---
schema_version: "1.3"
metadata:
  category: natural-science
  difficulty: easy
verifier:
  timeout_sec: 30
sandbox:
  memory: 2G
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
sandbox:
  memory_mb: 2048
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
