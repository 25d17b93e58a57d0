"""Rules on other tools' eval files: what `skillcheck import` finds.

## Around the examples
An example of this family is a folder source/ that is imported for the skill tidy-notes.
"""
