"""A key stands twice in one object of a case file.

The last value counts and the first one is lost: often a whole list of prompts.

Source: RFC 8259, section 4.

## Bad
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {
    "positive": [{"prompt": "put the notes in order of date"}],
    "positive": [{"prompt": "sort notes by date"}]
  }
}
````

## Good
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {
    "positive": [
      {"prompt": "put the notes in order of date"},
      {"prompt": "sort notes by date"}
    ]
  }
}
````
"""

from skillcheck.diagnostic import Severity
from skillcheck.rules import Rule

RULE = Rule(__name__, Severity.ERROR, __doc__)
