"""All or nothing: the one choice that leaves least."""

import json
import sys
from pathlib import Path

try:
    found = json.loads((Path(sys.argv[1]) / "shelf.json").read_text())
except (OSError, ValueError):
    found = None
print(1.0 if found == ["amber", "birch", "cedar", "flint"] else 0.0)
