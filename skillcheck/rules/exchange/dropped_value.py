"""A value of a source is not carried over.

Case files have no place for it, or it can't be said exactly in our terms; the message says why. What is the same in
many entries is told once.

## Bad
````json source/evals.json
{"skill_name": "tidy-notes", "evals": [
  {"id": 1, "prompt": "Sort these notes.", "category": "sorting", "expectations": ["Notes come by date"]}
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
