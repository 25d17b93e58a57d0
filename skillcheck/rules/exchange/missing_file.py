"""A file that a source names is not there.

The eval is imported as provisional, without that file, so that it isn't run before it has a fixture; a suite's case
that isn't there is left out.

## Bad
````json source/evals.json
{"skill_name": "tidy-notes", "evals": [
  {"id": 1, "prompt": "Sort these notes.", "files": ["evals/files/notes.md"], "expectations": ["Notes come by date"]}
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

RULE = Rule(__name__, Severity.WARNING, __doc__)
