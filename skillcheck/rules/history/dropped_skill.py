"""A framework drops the skill or a part of it.

`skillcheck compare` tells what of the skill reached the agent of each run: whether it was listed, whether the agent
loaded it (with native delivery), and which of the files that SKILL.md names some tool call names too. What no trial of
a run shows is told: that the skill was not listed or loaded, or that a file is left unread which another run's agent
read. Files are only looked for while the skill is the one that was run.

## Bad
````csv runs.csv
run,harness,eval,passed,trials,reads
2026-03-01,claude-code,1,3,3,style.md
2026-03-02,codex,1,3,3,SKILL.md
````

## Good
````csv runs.csv
run,harness,eval,passed,trials,reads
2026-03-01,claude-code,1,3,3,style.md
2026-03-02,codex,1,3,3,style.md
````
"""

from __future__ import annotations

from skillcheck.diagnostic import Severity
from skillcheck.rules import Rule

RULE = Rule(__name__, Severity.WARNING, __doc__)
