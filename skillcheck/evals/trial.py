"""One trial: a workspace, the agent in it, what it did, the grade, all of it kept."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from skillcheck import process
from skillcheck.errors import SkillcheckError
from skillcheck.evals import harness as harnesses
from skillcheck.evals import plan as plans
from skillcheck.evals import workspace
from skillcheck.evals.classify import classify, watch
from skillcheck.evals.grader import Evidence
from skillcheck.evals.grading import Bench, grade
from skillcheck.evals.outcome import CLASSES, Then
from skillcheck.evals.runner import unrun
from skillcheck.evals.sandbox import MARK, new_mark, sweep
from skillcheck.evals.store import Kept
from skillcheck.evals.trace import Ended, Trace
from skillcheck.process import Limits, supervise

if TYPE_CHECKING:
    import threading
    from collections.abc import Iterator, Sequence

    from skillcheck.evals.harness import Launch, Task
    from skillcheck.evals.plan import Plan, Spec
    from skillcheck.evals.record import Grading, Record, Status
    from skillcheck.evals.store import Store
    from skillcheck.evals.workspace import Snapshot, Workspace
    from skillcheck.process import Completed, Exit

TIMEOUTS = frozenset({"agent-timeout", "infra-timeout"})
_BACKOFF_S = (1, 4, 15)
"""How long to wait before trying again what may pass by itself."""


@dataclass(frozen=True, slots=True)
class Course:
    """What the trials of a run have in common: `run` is its folder in the store; `stop` ends them."""

    plan: Plan
    store: Store
    run: Path
    stop: threading.Event

    @property
    def bench(self) -> Bench:
        """Who grades."""
        return Bench(self.plan.judge, self.plan.settings, self.plan.environ, self.stop)


def run(course: Course, spec: Spec) -> Record:
    """Run a trial, again where its outcome may pass by itself, and keep the last attempt. Never raises."""
    notes: list[str] = []
    costs: list[float | None] = []
    for attempt in range(1, course.plan.settings.retries + 2):
        record, kept = _attempt(course, spec)
        costs.append(record.cost_usd)
        record = record._replace(attempts=attempt, notes=(*notes, *record.notes), cost_usd=_known(costs))
        record = course.store.clean(record)
        if CLASSES[record.how].then is not Then.RETRY or attempt > course.plan.settings.retries:
            break
        notes.append(f"attempt {attempt}: {record.how}: {record.message}")
        if course.stop.wait(_BACKOFF_S[min(attempt, len(_BACKOFF_S)) - 1]):
            break
    try:
        course.store.keep(course.run, record, kept)
    except SkillcheckError as error:
        return record._replace(status="error", how="workspace", message=str(error))
    return record


def _known(costs: Sequence[float | None]) -> float | None:
    """What is known to be spent; None where no attempt tells."""
    known = [cost for cost in costs if cost is not None]
    return sum(known) if known else None


def _attempt(course: Course, spec: Spec) -> tuple[Record, Kept]:
    started = datetime.now(UTC).isoformat(timespec="seconds")
    try:
        record, kept = _in_workspace(course, spec)
    except SkillcheckError as error:
        record, kept = unrun(course.plan, spec, "workspace", str(error)), Kept(Trace(()))
    except OSError as error:  # a full disk, as a rule
        message = f"the trial's files can't be read or written: {error.strerror or error}"
        record, kept = unrun(course.plan, spec, "workspace", message), Kept(Trace(()))
    except Exception as error:  # noqa: BLE001 - one trial's fault is never another's
        message = f"{type(error).__name__}: {error}"
        record, kept = unrun(course.plan, spec, "internal", message), Kept(Trace(()))
    return record._replace(started=started), kept


def _in_workspace(course: Course, spec: Spec) -> tuple[Record, Kept]:
    mark, plan = new_mark(), course.plan
    name = spec.skill.path.parent.name
    staging = workspace.Staging(spec.skill.path.parent, f"{plan.harness.skills_dir}/{name}")
    fixtures = plan.catalog.fixtures
    with workspace.made(spec.case.files, fixtures, mark=mark, skill=staging, keep=plan.settings.keep) as space:
        task = plans.task(plan, spec.case, name, space.root)
        launch = plan.harness.command(task)
        _hand_over(spec, task, launch)
        room = Room(course, space, task, launch, mark)
        try:
            return _worked(room, spec)
        finally:
            sweep(mark)


def _hand_over(spec: Spec, task: Task, launch: Launch) -> None:
    """Write what the agent is to read, before it starts."""
    task.prompt_file.write_text(task.prompt, "utf-8", newline="")
    if task.system_prompt_file and task.skill_dir:
        where = task.skill_dir.relative_to(task.work).as_posix()
        text = f"Follow this skill. Its files are in {where}.\n\n{spec.skill.text}"
        task.system_prompt_file.write_text(text, "utf-8", newline="")
    for name, text in launch.files.items():
        target = task.home / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8", newline="")
    for name, source in launch.copies.items():
        target = task.home / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)


@dataclass(frozen=True, slots=True)
class Room:
    """A workspace with what is run in it: the agent's `launch`, and programs that checks start."""

    course: Course
    space: Workspace
    task: Task
    launch: Launch
    mark: str

    @property
    def env(self) -> dict[str, str]:
        """The agent's environment."""
        plan = self.course.plan
        env = harnesses.environment(plan.harness, self.task, self.launch, plan.settings.env)
        return {**env, MARK: self.mark}

    def wrapped(self, argv: Sequence[str], *more: Path) -> tuple[str, ...]:
        """A command line in the sandbox; `more` are places that it needs beside those that it names."""
        program = self.space.work / argv[0] if os.sep in argv[0] else argv[0]
        found = shutil.which(program, path=self.env.get("PATH"))
        if found is None:
            raise FileNotFoundError(argv[0])
        needed = (Path(found), *more, *_places((*argv, *self.env.values())), Path(sys.prefix), self.space.handed)
        writable = (self.space.work, self.space.home)
        return self.course.plan.sandbox.wrap(argv, work=self.space.work, writable=writable, needed=needed)

    def run(self, argv: Sequence[str], stdin: bytes, timeout_s: float) -> Completed:
        """Run a check's program; it gets none of the agent's credentials."""
        plan = self.course.plan
        secret = {*plan.harness.keys, *plan.harness.passes, *plan.settings.env}
        env = {name: value for name, value in self.env.items() if name not in secret}
        wrapped = self.wrapped(argv, plan.catalog.fixtures)
        stop = self.course.stop
        return process.run(wrapped, cwd=self.space.work, stdin=stdin, timeout_s=timeout_s, env=env, stop=stop)


def _places(words: Sequence[str]) -> Iterator[Path]:
    """The absolute paths that words name, alone or in a list as PATH is one."""
    for word in words:
        for part in word.split(os.pathsep):
            if os.path.isabs(part) and os.path.lexists(part):  # noqa: PTH117 - a word need not be a path
                yield Path(part)
                yield Path(os.path.realpath(part))


def _worked(room: Room, spec: Spec) -> tuple[Record, Kept]:
    """Let the agent work, then look at what it did."""
    plan, space = room.course.plan, room.space
    out, err = space.root / "stdout", space.root / "stderr"
    try:
        exited = _supervised(room, out, err)
    except FileNotFoundError:
        message = f"the program {room.launch.argv[0]!r} was not found, or may not be run"
        return unrun(plan, spec, "harness-config", message), Kept(Trace(()))
    left = sweep(room.mark)
    with out.open("rb") as lines:
        trace = Trace.of(plan.harness.parse(lines))
    errors = err.read_bytes()
    offered = spec.skill.name if plan.settings.delivery == "native" and plan.harness.asks_model else ""
    ended = classify(exited, trace, errors, skill=offered, asks_model=plan.harness.asks_model)
    if space.edited():
        ended = _edited(space)
    snapshot = space.snapshot()
    record = _graded(room, spec, trace, snapshot, ended)._replace(
        seconds=exited.seconds,
        truncated=exited.truncated,
        left=left,
        version=trace.version or plan.machine.version,
        notes=(*space.notes, *snapshot.notes, *_aftermath(room, exited, left)),
    )
    return record, _kept(out, errors, trace, snapshot)


def _edited(space: Workspace) -> Ended:
    place = space.skill_dir or space.work
    verb = "changed" if place.exists() else "removed"
    return Ended("skill-edited", f"the agent {verb} {place.relative_to(space.work).as_posix()}")


def _aftermath(room: Room, exited: Exit, left: int) -> Iterator[str]:
    if room.course.plan.settings.keep:
        yield f"the workspace is kept in {room.space.root}"
    if left:
        yield f"the agent left {left} process{'' if left == 1 else 'es'} running; they were killed"
    if exited.truncated:
        yield "the agent wrote more than is kept of its output; the rest is lost"


def _supervised(room: Room, out: Path, err: Path) -> Exit:
    settings, harness = room.course.plan.settings, room.course.plan.harness
    return supervise(
        room.wrapped(room.launch.argv),
        cwd=room.space.work,
        env=room.env,
        stdin=room.launch.stdin,
        stdout=out,
        stderr=err,
        limits=Limits(wall_s=settings.timeout_s, idle_s=settings.idle_s),
        watch=lambda lines: watch(harness.parse(lines)),
        stop=room.course.stop,
    )


def _graded(room: Room, spec: Spec, trace: Trace, snapshot: Snapshot, ended: Ended) -> Record:
    plan = room.course.plan
    record = unrun(plan, spec, ended.how, ended.message)._replace(
        model=trace.model or plan.settings.model,
        usage=trace.usage,
        cost_usd=trace.cost_usd,
        calls=len(trace.calls),
        loaded=spec.skill.name in trace.loaded or spec.skill.folder in trace.loaded,
        malformed=trace.malformed,
    )
    if CLASSES[ended.how].then is not Then.GRADE:
        fails = plan.settings.timeouts_fail and ended.how in TIMEOUTS
        return record._replace(status="failed" if fails else "error")
    evidence = Evidence(room.space.work, plan.catalog.fixtures, snapshot.changed, trace, spec.skill.name, room.run)
    text = shown(snapshot.diff, snapshot.status, snapshot.log, snapshot.notes)
    return graded(record, spec, evidence, text, room.course.bench)


def graded(record: Record, spec: Spec, evidence: Evidence, text: str, bench: Bench) -> Record:
    """The record with its grade, whose problem makes it an error; `text` is what `shown` makes of the workspace."""
    grading = grade(spec.case, evidence, text, bench)
    if bench.stop and bench.stop.is_set():  # what was asked may have been cut short
        return record._replace(status="error", how="interrupted", message="the run was interrupted while it was graded")
    return verdict_of(record, grading)


def verdict_of(record: Record, grading: Grading) -> Record:
    """The record with a grading, whose problem makes it an error."""
    if grading.problem:
        return record._replace(grading=grading, status="error", how="ungraded", message=grading.problem)
    status: Status = "failed" if grading.failed else "passed"
    return record._replace(grading=grading, status=status)


def shown(diff: str, status: str, log: str, notes: Sequence[str] = ()) -> str:
    """What a judge is shown of the workspace as the agent left it."""
    parts = {
        "git status": status,
        "commits of the agent": log,
        "difference from the start": diff or "nothing was changed",
        "notes": "\n".join(notes),
    }
    return "\n\n".join(f"{title}:\n{text}" for title, text in parts.items() if text)


def _kept(out: Path, errors: bytes, trace: Trace, snapshot: Snapshot) -> Kept:
    raw = out.read_bytes()
    name = "raw.jsonl" if raw.lstrip()[:1] == b"{" else "raw.txt"
    return Kept(trace, raw, name, errors, snapshot.patch, snapshot.changed, snapshot.status, snapshot.log)
