"""A task gives a reward for doing nothing.

`--validate` has the untouched work folder verified before any agent is tried. A reward above 0 for it is one that
every agent gets, so the task is left out.

## Bad
````txt tasks/count-stars/environment/stars.txt
3
````

## Good
````txt tasks/count-stars/environment/stars.txt
0
````
"""

from __future__ import annotations

from skillcheck.diagnostic import Severity
from skillcheck.rules import Rule

RULE = Rule(__name__, Severity.ERROR, __doc__)
