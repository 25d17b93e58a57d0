"""A quarter each for the version and the entries of three sections."""

import sys
from pathlib import Path

EXPECTED = {
    "Breaking": ["- read settings from one file only"],
    "New": ["- print in two columns"],
    "Fixed": ["- don't print blank pages", "- keep the last page when printing"],
}

try:
    lines = [line for line in (Path(sys.argv[1]) / "NOTES.md").read_text().splitlines() if line.strip()]
except OSError:
    lines = []
sections, here = {}, []
for line in lines[1:]:
    if line.startswith("## "):
        here = sections.setdefault(line.removeprefix("## "), [])
    else:
        here.append(line)
right = sum(sections.get(title) == entries for title, entries in EXPECTED.items())
print(round((right + (lines[:1] == ["# 3.0.0"])) / 4, 4))
