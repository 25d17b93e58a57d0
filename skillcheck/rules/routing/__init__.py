"""Rules on what the router makes of the prompts.

## Around the examples
An example of this family stands in the catalog of these files, unless it shows the file itself.

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
"""
