"""An eval or a prompt is there already.

An id stands twice in the sources, or the case file has it: what was there first stays as it is. Of prompts the words
count, not case and punctuation.

## Bad
````json source/evals.json
{"skill_name": "tidy-notes", "evals": [
  {"id": 1, "prompt": "Sort these notes.", "expectations": ["Notes come by date"]},
  {"id": 1, "prompt": "Sort them anew.", "expectations": ["Notes come by date"]}
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
