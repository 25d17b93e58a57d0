r"""The frontmatter is not YAML, or not a mapping of keys to values.

A host that can't read the frontmatter leaves the skill out, often without a word. Nothing else is said about such a
file's fields. What goes wrong most often has a rule of its own: `unquoted-colon`, `duplicate-key`, `tab-after-colon`.

Aliases and nesting are bounded, so that no file can make a reader run out of memory.

Source: yaml.org/spec/1.2.2; agentskills.io/specification, "Frontmatter".

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: 'Sorts a writer's notes. Use when a folder of notes has grown.'
---

Sort the notes by date.
````

## Bad
````md skills/tidy-notes/SKILL.md escaped
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
metadata:
\tauthor: desk
---

Sort the notes by date.
````

## Good
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: "Sorts a writer's notes. Use when a folder of notes has grown."
---

Sort the notes by date.
````
"""

from skillcheck.diagnostic import Severity
from skillcheck.rules import Rule

RULE = Rule(__name__, Severity.ERROR, __doc__)
