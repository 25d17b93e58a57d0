"""A suppression comment suppresses nothing.

The finding it was written for is gone, the rule's name is mistyped or no rule's, or the comment has another form than
those that are known; either way it hides that a finding would be shown. Known are `skillcheck-disable-file`,
`skillcheck-disable-line` and `skillcheck-disable-next-line`, each with the names of rules, then `--` and a reason: in
an HTML comment of the body, or in a YAML comment of the frontmatter. Families can't be named.

Comments for rules that weren't run are left alone, and so are comments for rules on the whole catalog when single
skills are checked. Code blocks are no comments.

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

<!-- skillcheck-disable-file name-directory-mismatch -- the directory can't be renamed yet -->

Sort the notes by date.
````

## Bad: no rule, and no such form
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes # skillcheck-disable-line name-dir-mismatch -- the directory can't be renamed yet
description: Sorts notes by date. Use when a folder of notes has grown.
---

<!-- skillcheck-ignore-file broken-link -- the file comes later -->

Sort the notes by date.
````

## Good
````md skills/tidy-notes/SKILL.md
---
name: note-tidier # skillcheck-disable-line name-directory-mismatch -- the directory can't be renamed yet
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````
"""

from skillcheck.diagnostic import Severity
from skillcheck.rules import Rule

RULE = Rule(__name__, Severity.WARNING, __doc__)
