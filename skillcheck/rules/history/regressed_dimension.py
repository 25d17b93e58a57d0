"""The newest run is worse than the earlier ones make plausible.

`skillcheck history --alert` compares the newest run of each agent with its earlier ones: the pass rate of all skills,
of each skill, eval, expectation and check, the share of trials that loaded the skill (with native delivery), that
ended without an error, and that weren't dear (more than a quarter above the median of their eval). Trials are compared
within an eval, and only where the eval, its fixtures, the grader and the version of skillcheck are the same. The test
is exact, and p-values are adjusted for all that is tested together (Holm), so that chance alone raises an alarm in one
case of a hundred at most. What differs between the runs, the agent's version, the answering model or the skill's
digest, stands in the table. Run the evals again with `--fresh` before you look for a cause: a second alarm is no
chance.

## Bad
````csv runs.csv
run,eval,passed,trials
2026-03-01,1,20,20
2026-03-02,1,20,20
2026-03-03,1,12,20
````

## Good
````csv runs.csv
run,eval,passed,trials
2026-03-01,1,9,9
2026-03-02,1,8,9
2026-03-03,1,7,9
````
"""

from __future__ import annotations

from skillcheck.diagnostic import Severity
from skillcheck.rules import Rule

RULE = Rule(__name__, Severity.ERROR, __doc__)
