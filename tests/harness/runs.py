"""Tasks and recordings for the tests of harnesses.

The recordings are what each CLI, in the version that its harness names, printed when the harness's own command line met
the scripted model server; the run's folders are called /ws and /home/agent in them.
"""

import shutil
import subprocess
from pathlib import Path

from skillcheck.evals.harness import Task, environment, named
from skillcheck.evals.trace.trace import Trace

RECORDINGS = Path(__file__).parent / "recordings"
ROOT = Path("/run-1")


def task(root=ROOT, **fields):
    """A task whose files lie below `root`, which need not exist."""
    prompt = fields.pop("prompt", "Do it, then say \N{CHECK MARK}")
    return Task(prompt, root / "prompt.txt", root / "work", root / "home", **fields)


def recorded(harness, name):
    """The trace of a recording."""
    with (RECORDINGS / harness / f"{name}.jsonl").open("rb") as lines:
        return Trace.of(named(harness).parse(lines))


def read(harness, *lines):
    """The trace of lines given as text."""
    return Trace.of(named(harness).parse(line.encode() + b"\n" for line in lines))


def run(harness, root, **fields):
    """Really run a harness that needs no CLI: its finished process and its trace. Folders are made below `root`."""
    asked = task(root, environ={"PATH": "/usr/bin:/bin"}, **fields)
    for folder in (asked.work, asked.home):
        folder.mkdir(exist_ok=True)
    asked.prompt_file.write_text(asked.prompt, "utf-8")
    chosen = named(harness)
    launch = chosen.command(asked)
    done = subprocess.run(
        (shutil.which(launch.argv[0], path="/usr/bin:/bin"), *launch.argv[1:]),
        cwd=asked.work, env=environment(chosen, asked, launch), input=launch.stdin, capture_output=True, check=False,
    )  # fmt: skip
    return done, Trace.of(chosen.parse(done.stdout.splitlines(keepends=True)))
