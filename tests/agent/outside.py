"""An agent that writes into every folder it is told, and then tells which files it can read and what it wrote."""

import json
import sys
from pathlib import Path


def can_write(folder):
    try:
        return Path(folder, "planted").write_text("x", "utf-8") > 0
    except OSError:
        return False


def can_read(file):
    try:
        return Path(file).read_bytes() != b""
    except OSError:
        return False


folders, files = (words.split(",") for words in sys.argv[1:])
print(json.dumps([list(filter(can_write, folders)), list(filter(can_read, files))]))
