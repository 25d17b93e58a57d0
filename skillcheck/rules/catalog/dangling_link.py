"""A symbolic link among the skills points nowhere.

Whoever checks the catalog out gets no skill there, and some loaders give up on the whole folder. A link to a folder
that exists, in the catalog or outside of it, is followed, and its skill counts once, however many links lead to it.

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````

````txt skills/merge-notes symlink
../drafts/merge-notes
````

## Good
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````

````md drafts/merge-notes/SKILL.md
---
name: merge-notes
description: Merges two notes. Use when two notes tell the same thing.
---

Merge the notes.
````

````txt skills/merge-notes symlink
../drafts/merge-notes
````
"""

from skillcheck.diagnostic import Severity
from skillcheck.rules import Rule

RULE = Rule(__name__, Severity.ERROR, __doc__)
