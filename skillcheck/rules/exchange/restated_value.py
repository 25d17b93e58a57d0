"""A value of a source is carried over in another form.

It means the same and is judged otherwise: an assertion on the answer by a model, since checks look at files and calls;
or a name had to change. Worth a look.

## Bad
````json source/evals.json
{"skill_name": "tidy-notes", "evals": [
  {"id": 1, "prompt": "Sort these notes.", "expected_output": "Oldest first."}
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

RULE = Rule(__name__, Severity.INFO, __doc__)
