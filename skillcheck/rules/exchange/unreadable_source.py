"""A source can't be read.

It is no UTF-8, too long, or neither JSON nor YAML, or one of its parts isn't. The other sources are imported.

## Bad
````json source/evals.json
{"skill_name": "tidy-notes", "evals": [}
````

## Good
````json source/evals.json
{"skill_name": "tidy-notes", "evals": [
  {"id": 1, "prompt": "Sort these notes.", "expected_output": "Oldest first.", "expectations": ["Notes come by date"]}
]}
````
"""

from skillcheck.diagnostic import Severity
from skillcheck.rules import Rule

RULE = Rule(__name__, Severity.ERROR, __doc__)
