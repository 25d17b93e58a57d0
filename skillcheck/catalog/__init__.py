"""A catalog of skills as data: SKILL.md files, case files and commands, with the place of everything in them."""
