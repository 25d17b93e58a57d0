"""A value without quotes has a colon and a blank in it.

YAML takes `: ` for the end of a key, so the value would be a mapping inside a line, which is an error: hosts leave the
skill out. The value must be quoted, or written as a block (`>-` and indented lines). `--fix` quotes a value that
stands on one line.

A colon that no blank follows (`https://…`, `10:30`) is no fault, nor is one within quotes or a block.

Source: yaml.org/spec/1.2.2, section 7.3.3 "Plain Style".

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes: by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````

## Good
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: "Sorts notes: by date. Use when a folder of notes has grown."
---

Sort the notes by date.
````
"""

from skillcheck.diagnostic import Severity
from skillcheck.rules import Rule

RULE = Rule(__name__, Severity.ERROR, __doc__)
