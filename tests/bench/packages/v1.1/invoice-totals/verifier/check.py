"""All or nothing: the totals of three customers, to the cent."""

import json
import sys
from pathlib import Path

EXPECTED = {"Ahlborn": "25.26", "Brandt": "7.82", "Castro": "0.70"}

try:
    found = json.loads((Path(sys.argv[1]) / "totals.json").read_text())
except (OSError, ValueError):
    found = None
print(1.0 if found == EXPECTED else 0.0)
