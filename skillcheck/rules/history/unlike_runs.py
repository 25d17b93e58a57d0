"""Two runs can't be compared, since they did different things.

`skillcheck compare` takes runs apart whose skill was given in different ways (`--delivery`), or whose evals, fixtures
or graders differ: a difference of results would tell of those. Run the evals again with the same; `--anyway` compares
them nevertheless, and leaves the judgement to you.

## Bad
````csv runs.csv
run,delivery,eval,passed,trials
2026-03-01,native,1,3,3
2026-03-02,system-prompt,1,3,3
````

## Good
````csv runs.csv
run,harness,eval,passed,trials
2026-03-01,claude-code,1,3,3
2026-03-02,codex,1,2,3
````
"""

from __future__ import annotations

from skillcheck.diagnostic import Severity
from skillcheck.rules import Rule

RULE = Rule(__name__, Severity.ERROR, __doc__)
