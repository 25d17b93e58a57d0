r"""A tab stands between a colon and its value.

YAML allows it, yet several readers refuse the file (PyYAML's own scanner among them). `--fix` writes a space.

Tabs inside quoted values, in block scalars and in the body are left alone; a tab used for indentation is not YAML.

Source: yaml.org/spec/1.2.2, section 6.2 "Separation Spaces"; pyyaml/pyyaml, `scan_to_next_token`.

## Bad
````md skills/tidy-notes/SKILL.md escaped
---
name:\ttidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````

## Good
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````
"""

from skillcheck.diagnostic import Severity
from skillcheck.rules import Rule

RULE = Rule(__name__, Severity.WARNING, __doc__)
