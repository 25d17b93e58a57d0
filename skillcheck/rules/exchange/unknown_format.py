"""A source has the shape of no format that is known.

A format is told by its shape and not by its name, so a file of one tool under the name of another's is read for what it
is. `--format-of` names a format where the shape doesn't tell; `skillcheck import --help` lists them.

## Bad
````json source/evals.json
{"suite": "tidy-notes", "questions": ["Sort these notes."]}
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
