"""An entry of a source can't be used.

It has no prompt, a value of another type than the format has there, or it doesn't say for which skill it is (`--skill`
does). It is left out; the rest is imported.

## Bad
````json source/evals.json
{"skill_name": "tidy-notes", "evals": [
  {"id": 1, "prompt": "Sort these notes.", "expectations": ["Notes come by date"]},
  {"id": 2, "prompt": 7, "expectations": ["Notes come by date"]}
]}
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
