"""Whole-process wall times as ratios, A B A B: `python tests/benchmarks/speed.py [CATALOG] [--peer COMMAND]`.

Without a CATALOG one is made: 134 skills, 2 MB. A PEER is another linter's command line; the catalog's path is added.
The machine's speed cancels out of a ratio, so compare ratios between machines and days, never seconds.
"""

import argparse
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = 9
SKILL = """---
name: skill-{n}
description: Does the job number {n} with tool {n}. Use when somebody asks for job {n} or its report.
---

# Skill {n}

{body}
"""
SECTION = """## Part {n}

Read [the guide](#part-0), then run `tool --job {n}` and look at **what it prints**.

- first, prepare the input
- then run it

```bash
tool --job {n} < input > output
```
"""


def make(root, skills=134, sections=70):
    for n in range(skills):
        folder = root / "skills" / f"skill-{n}"
        folder.mkdir(parents=True)
        body = "\n".join(SECTION.format(n=part) for part in range(sections))
        (folder / "SKILL.md").write_text(SKILL.format(n=n, body=body), "utf-8")


def seconds(command, cwd):
    start = time.perf_counter()
    subprocess.run(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.perf_counter() - start


def compare(what, ours, theirs, cwd, goal):
    pairs = [(seconds(ours, cwd), seconds(theirs, cwd)) for _ in range(RUNS + 1)][1:]
    ratio = statistics.median(a / b for a, b in pairs)
    a, b = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"{what:44} {a:6.3f} s / {b:6.3f} s = {ratio:5.2f}  (goal: at most {goal})")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("catalog", nargs="?", type=Path)
    parser.add_argument("--peer")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        root = options.catalog.resolve() if options.catalog else Path(scratch)
        if not options.catalog:
            make(root)
        ours = [str(Path(sys.executable).parent / "skillcheck")]
        one = next(root.glob("skills/*/SKILL.md"))
        start = [sys.executable, "-c", "pass"]
        imports = [sys.executable, "-c", "import click, yaml"]
        compare("lint one file / import click, yaml", [*ours, "lint", str(one)], imports, root, 2)
        compare("lint the catalog / start of Python", [*ours, "lint", "skills"], start, root, "the peer's")
        compare("route / start of Python", [*ours, "route"], start, root, 17)
        if options.peer:
            compare("lint / peer", [*ours, "lint", "skills"], [*shlex.split(options.peer), "skills"], root, 0.4)


if __name__ == "__main__":
    main()
