"""A task.toml is not TOML.

Nothing of the task can be read then, and it is not run. The message says where the reader gave up. In a task.md
settings are YAML, and `invalid-yaml` tells of those.

## Bad
````toml tasks/weigh-stars/task.toml
version = 1.0.0
````

````md tasks/weigh-stars/instruction.md
Weigh the stars.
````

## Good
````toml tasks/weigh-stars/task.toml
version = "1.0"

[metadata]
category = "natural-science"
difficulty = "easy"

[verifier]
timeout_sec = 30

[agent]
timeout_sec = 60
````

````md tasks/weigh-stars/instruction.md
Weigh the stars.
````

````sh tasks/weigh-stars/solution/solve.sh
echo 1 > weight.txt
````

````sh tasks/weigh-stars/tests/test.sh
cat weight.txt > "$BENCHFLOW_REWARD_TEXT"
````
"""

from __future__ import annotations

from skillcheck.diagnostic import Severity
from skillcheck.rules import Rule

RULE = Rule(__name__, Severity.ERROR, __doc__)
