"""Tasks of our own in both layouts, and good ones to break."""

from pathlib import Path

from skillcheck.bench.load import load

PACKAGES = Path(__file__).parent / "bench" / "packages"
TASK_MD = """\
---
schema_version: "1.3"
metadata:
  category: natural-science
  difficulty: easy
  tags: [a, b]
verifier:
  timeout_sec: 30
agent:
  timeout_sec: 60.5
sandbox:
  cpus: 2
  memory_mb: 512
---

## prompt

Count the stars.
"""
TASK_TOML = """\
version = "1.0"

[metadata]
category = "natural-science"
difficulty = "easy"

[verifier]
timeout_sec = 30.0

[agent]
timeout_sec = 60

[environment]
memory_mb = 512
"""
GOOD = {"1.1": {"task.md": TASK_MD}, "1.0": {"task.toml": TASK_TOML, "instruction.md": "Count the stars.\n"}}


def write(folder, layout, files=None):
    """Write a good task but for the `files` given, None for one that is left out; returns its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {**GOOD[layout], **(files or {})}.items():
        if text is not None:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode() if isinstance(text, str) else text)
    return folder


def good(folder, layout, files=None):
    """Write such a task and read it."""
    (package,) = load(write(folder, layout, files), folder.name).packages
    return package


def told(found):
    """Diagnostics as people read them."""
    return [f"{each.path}:{each.span.line}:{each.span.column}: {each.message}; {each.help}" for each in found]
