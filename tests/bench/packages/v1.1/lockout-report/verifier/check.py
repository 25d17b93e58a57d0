"""A third for each account that was locked, with its time; nothing where one is named that was not."""

import csv
import sys
from pathlib import Path

EXPECTED = {
    "ines": "2026-03-02T08:10:00",
    "mona": "2026-03-02T08:24:30",
    "theo": "2026-03-02T09:04:00",
}

try:
    with (Path(sys.argv[1]) / "locked.csv").open(newline="") as file:
        found = {row["account"]: row["locked_at"] for row in csv.DictReader(file)}
except (OSError, KeyError):
    found = {}
right = sum(found.get(account) == when for account, when in EXPECTED.items())
print(0.0 if set(found) - set(EXPECTED) else round(right / len(EXPECTED), 4))
