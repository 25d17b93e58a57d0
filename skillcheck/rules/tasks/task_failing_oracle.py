"""The oracle of a task does not get a reward of 1.

`--validate` runs it before any agent. Either the solution is wrong or the verifier is; what agents get would mean
nothing, so the task is left out.

## Bad
````sh tasks/count-stars/oracle/solve.sh
echo 4 > stars.txt
````

## Good
````sh tasks/count-stars/oracle/solve.sh
echo 3 > stars.txt
````
"""

from __future__ import annotations

from skillcheck.diagnostic import Severity
from skillcheck.rules import Rule

RULE = Rule(__name__, Severity.ERROR, __doc__)
