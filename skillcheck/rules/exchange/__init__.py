"""Rules on other tools' eval files: what `skillcheck import` finds.

## Around the examples
An example of this family is a folder source/ that is imported for this skill.

````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````
"""
