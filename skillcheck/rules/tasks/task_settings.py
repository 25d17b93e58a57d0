"""A setting of a task is missing or of the wrong type.

The settings are the frontmatter of a task.md, or the task.toml of layout 1.0. Category, difficulty and both timeouts
must be there; a timeout is a number of seconds, and no key may stand twice. `skillcheck schema task` tells all. A task
with such a fault is not run.

## Bad: a word where a number belongs
````md tasks/count-stars/task.md
---
schema_version: "1.3"
metadata:
  category: natural-science
  difficulty: easy
verifier:
  timeout_sec: 30
agent:
  timeout_sec: one minute
---

Count the stars in sky.txt and write their number into stars.txt.
````

## Bad: a setting that is missing
````md tasks/count-stars/task.md
---
schema_version: "1.3"
metadata:
  category: natural-science
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
