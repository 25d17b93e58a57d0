#!/bin/bash
set -e
python3 - <<'PY'
import csv
from pathlib import Path

since = {}
for path in sorted(Path("/root/rosters").glob("*.csv")):
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            last, comma, first = row["member"].partition(",")
            words = f"{first} {last}" if comma else row["member"]
            name = " ".join(word.capitalize() for word in words.split())
            since[name] = min(since.get(name, 9999), int(row["since"]))
lines = [f"{name},{year}" for name, year in sorted(since.items())]
Path("/root/roster.csv").write_text("\n".join(["member,since", *lines]) + "\n")
PY
