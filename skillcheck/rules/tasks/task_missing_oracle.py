"""A task has no program that solves it.

Without an `oracle/solve.sh`, in layout 1.0 a `solution/solve.sh`, nothing shows that the task can be solved and that
its verifier sees it. Agents can still be tried; `--agent oracle` and `--validate` need it.

## Bad
````sh tasks/count-stars/oracle/solve.sh
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
