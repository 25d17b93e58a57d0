"""A pass rate or a fitness score is below the one that was asked for.

`skillcheck history --fail-below PERCENT` holds the newest run of each agent against a number: each skill's pass rate
and each eval's. Trials that ended in an error don't count. A rate of few trials may be low by chance; `--alert` asks
whether it is lower than before.

`skillcheck fitness --fail-below [SCORE=]NUMBER` holds the total, or a score, of each skill's fitness index against a
number; one that isn't known is below any.

## Bad
````csv runs.csv
run,eval,passed,trials
2026-03-01,1,1,3
````

## Good
````csv runs.csv
run,eval,passed,trials
2026-03-01,1,1,3
2026-03-02,1,2,3
````
"""

from __future__ import annotations

from skillcheck.diagnostic import Severity
from skillcheck.rules import Rule

RULE = Rule(__name__, Severity.ERROR, __doc__)
