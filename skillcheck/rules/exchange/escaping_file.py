"""A file of a source leads outside.

Files are copied from the skill's or the suite's folder alone, links followed: others would bring what lies on this
machine into an agent's workspace. The eval is imported as provisional, without that file.

## Bad
````json source/evals.json
{"skill_name": "tidy-notes", "evals": [
  {"id": 1, "prompt": "Sort these notes.", "files": ["../../secrets.txt"], "expectations": ["Notes come by date"]}
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
