"""All or nothing: the stations whose day is usable, and their means."""

import sys
from pathlib import Path

try:
    found = (Path(sys.argv[1]) / "means.txt").read_text().split()
except OSError:
    found = []
print(1.0 if found == ["harbour", "5.3", "meadow", "2.5"] else 0.0)
