"""A case file is not JSON.

Nothing in it counts. The finding stands where the parser gave up; a comma before a closing bracket is the usual
reason. NaN and infinities are no JSON, nor are comments, and values may not be nested more than 64 deep. A byte-order
mark is passed over.

Source: RFC 8259.

## Bad
````toml .skillcheck.toml
ignore = ["insufficient-cases", "missing-cases"]
````

````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````

````md skills/weekly-mail/SKILL.md
---
name: weekly-mail
description: Writes the weekly mail to the team. Use when a week ends.
---

Write the mail.
````

````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "trigger": {"positive": [{"prompt": "sort notes by date"},]}
}
````

## Good
````toml .skillcheck.toml
ignore = ["insufficient-cases", "missing-cases"]
````

````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````

````md skills/weekly-mail/SKILL.md
---
name: weekly-mail
description: Writes the weekly mail to the team. Use when a week ends.
---

Write the mail.
````

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
