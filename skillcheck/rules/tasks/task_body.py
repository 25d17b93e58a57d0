"""A task has no prompt, or more than one.

What follows the settings of a task.md, or stands in an instruction.md, is the prompt: the agent gets it as it is
written. Below a heading `## prompt` it is that section, and then nothing may stand before it.

## Bad: no prompt
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

````

## Bad: words that reach nobody
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

Made by us.

## prompt

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

## prompt

Count the stars in sky.txt and write their number into stars.txt.
````
"""

from __future__ import annotations

from skillcheck.diagnostic import Severity
from skillcheck.rules import Rule

RULE = Rule(__name__, Severity.ERROR, __doc__)
