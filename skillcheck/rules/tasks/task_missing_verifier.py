"""A task has no program that judges the work.

A `verifier/test.sh`, in layout 1.0 a `tests/test.sh`, leaves a reward from 0 to 1 in `/logs/verifier/reward.txt`, and
ends with status 0 whatever that is. A task without one is not run.

## Bad
````sh tasks/count-stars/verifier/test.sh
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
