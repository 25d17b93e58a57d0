"""All or nothing: four members with the years of their first entry."""

import sys
from pathlib import Path

EXPECTED = ["member,since", "Ada Nilsson,2019", "Carla Ruiz,2020", "Dmitri Orlov,2023", "Otto Bergmann,2018"]

try:
    found = (Path(sys.argv[1]) / "roster.csv").read_text().split("\n")
except OSError:
    found = []
print(1.0 if [line.strip() for line in found if line.strip()] == EXPECTED else 0.0)
