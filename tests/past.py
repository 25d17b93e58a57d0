"""Runs as they are stored, made from numbers instead of by agents."""

import csv
import hashlib
import itertools
from datetime import UTC, datetime

from skillcheck.evals.store import chain
from skillcheck.evals.store.record import Grading, Judged, Record
from skillcheck.evals.store.store import Kept, Store
from skillcheck.evals.trace.trace import SkillLoaded, Started, ToolCall, Trace, Usage
from skillcheck.evals.workspace import digest

SKILL = "tidy-notes"
ABOUT = {"harness": "claude-code", "harness_version": "2.1", "model": "", "delivery": "native", "sandbox": "none"}
_NUMBERS = itertools.count()


def trial(case, number, verdicts, **more):
    """A graded trial of an eval; `verdicts` are those on its checks, by text."""
    work = hashlib.sha256(f"{next(_NUMBERS)}".encode()).hexdigest()[:32]
    checks = tuple(Judged(text, passed=held, evidence="seen") for text, held in verdicts.items())
    given = {
        "key": work + str(case).ljust(32, "0"), "skill": SKILL, "eval": str(case), "trial": number,
        "harness": "claude-code", "delivery": "native", "asks_model": True, "sandbox": "none",
        "status": "passed" if all(verdicts.values()) else "failed", "how": "completed", "ended": "completed",
        "grading": Grading(checks=checks), "model": "m-1", "version": "2.1", "usage": Usage(100, 20), "cost_usd": 0.5,
        "seconds": 2.0, "loaded": True,
    }  # fmt: skip
    return Record(**{**given, **more})


def error(case, number, how="infra-server", **more):
    """A trial that ended in an error."""
    return trial(case, number, {}, status="error", how=how, ended=how, **more)


def store(root):
    """Where runs are kept below a catalog."""
    return Store(root / "evals/results", bytes)


def keep(root, day, records, about=None, trace=None):
    """Store a run of that day of March 2026; returns its name. `trace` is what the agent did in each trial."""
    shelf = store(root)
    run = shelf.begin(datetime(2026, 3, day, tzinfo=UTC), {**ABOUT, **(about or {})})
    for record in records:
        shelf.keep(run, record, Kept(trace or Trace.of([])))
    chain.seal(run)
    return run.name


def lay_out_runs(root):
    """Store the runs that runs.csv tells of; returns their names in order of time."""
    with (root / "runs.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    names = []
    for run, group in itertools.groupby(lines, key=lambda line: line["run"]):
        lines_of = list(group)
        about = {name: lines_of[0][name] for name in ("harness", "delivery") if name in lines_of[0]}
        reads = lines_of[0].get("reads", "style.md")
        records = [record for line in lines_of for record in _trials(line, about)]
        told = {**about, "skills": {SKILL: digest.of_tree(root / "skills" / SKILL)}, "cases": {SKILL: "c"}}
        names.append(keep(root, int(run[-2:]), records, told, read(reads)))
    return names


def _trials(line, about):
    for number in range(int(line["trials"])):
        held = number < int(line["passed"])
        yield trial(line["eval"], number + 1, {"file-exists: inbox/sorted.md": held}, **about)


def read(*names, skills=(SKILL,)):
    """The trace of an agent that loads the skill and reads files of it."""
    calls = (ToolCall(str(i), "Read", {"file_path": f"/w/skills/{SKILL}/{name}"}) for i, name in enumerate(names))
    return Trace.of([Started("m-1", "2.1", skills), SkillLoaded(SKILL), *calls])
