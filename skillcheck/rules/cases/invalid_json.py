"""A case file is not JSON.

Nothing in it counts. The finding stands where the parser gave up; a comma before a closing bracket is the usual
reason. NaN and infinities are no JSON, nor are comments, and values may not be nested more than 64 deep. A byte-order
mark is passed over.

Source: RFC 8259.

## Bad
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {"positive": [{"prompt": "sort notes by date"},]}
}
````

## Good
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {
    "positive": [
      {"prompt": "sort notes by date"}
    ],
    "negative": [
      {"prompt": "write the weekly mail to the team", "owner": "weekly-mail"}
    ]
  }
}
````
"""

from skillcheck.diagnostic import Severity
from skillcheck.rules import Rule

RULE = Rule(__name__, Severity.ERROR, __doc__)
