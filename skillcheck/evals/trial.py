"""One trial: a workspace, the agent in it, what it did, the grade, all of it kept."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from skillcheck.errors import SkillcheckError
from skillcheck.evals import arm as arms
from skillcheck.evals import plan as plans
from skillcheck.evals import workspace
from skillcheck.evals.grader import Evidence
from skillcheck.evals.grading import Bench, grade
from skillcheck.evals.outcome import CLASSES, Then
from skillcheck.evals.room import Room, hand_over, launch
from skillcheck.evals.runner import unrun
from skillcheck.evals.sandbox import new_mark, sweep
from skillcheck.evals.store import Kept
from skillcheck.evals.summary import total_usage
from skillcheck.evals.trace import Trace
from skillcheck.evals.workspace import Staging
from skillcheck.process import Limits

if TYPE_CHECKING:
    import threading
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from skillcheck.evals.plan import Plan, Spec
    from skillcheck.evals.record import Grading, Record, Status
    from skillcheck.evals.room import Work
    from skillcheck.evals.store import Store
    from skillcheck.evals.trace import Ended

TIMEOUTS = frozenset({"agent-timeout", "infra-timeout"})
_BACKOFF_S = (1, 4, 15)
"""How long to wait before trying again what may pass by itself."""


class _UnfitError(SkillcheckError):
    """The agent can't work as it is set up."""


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
        record, kept = _once(course, spec)
    except _UnfitError as error:
        record, kept = unrun(course.plan, spec, "harness-config", str(error)), Kept(Trace(()))
    except SkillcheckError as error:
        record, kept = unrun(course.plan, spec, "workspace", str(error)), Kept(Trace(()))
    except OSError as error:  # a full disk, as a rule
        message = f"the trial's files can't be read or written: {error.strerror or error}"
        record, kept = unrun(course.plan, spec, "workspace", message), Kept(Trace(()))
    except Exception as error:  # noqa: BLE001 - one trial's fault is never another's
        message = f"{type(error).__name__}: {error}"
        record, kept = unrun(course.plan, spec, "internal", message), Kept(Trace(()))
    return record._replace(started=started), kept


def _once(course: Course, spec: Spec) -> tuple[Record, Kept]:
    arm = arms.named(spec.arm)
    others = tuple(skill for skill in course.plan.catalog.skills if skill != spec.skill)
    staged = arm.stage(spec.skill, others, course.plan.harness.skills_dir)
    return _written_first(course, spec) if arm.writes else _in_workspace(course, spec, staged)


def _written_first(course: Course, spec: Spec) -> tuple[Record, Kept]:
    """Have the agent write a skill, then do the task with it; what the writing cost is the trial's too."""
    with _room(course, spec, (), arms.WRITE) as room:
        work = _worked(course, room, spec)
        written = room.space.work / arms.WRITTEN
        if arms.WRITTEN not in work.snapshot.changed or not written.is_file() or written.is_symlink():
            return _charged(_unwritten(course.plan, spec, work.ended), work), work.kept
        own = room.space.root / arms.OWN
        own.mkdir()
        written.replace(own / arms.WRITTEN)
        staged = Staging(own, f"{course.plan.harness.skills_dir}/{arms.OWN}")
        record, kept = _in_workspace(course, spec, (staged,))
    return _charged(record, work), kept


def _unwritten(plan: Plan, spec: Spec, ended: Ended) -> Record:
    """The record of a trial that lacks the skill that the agent should have written."""
    if CLASSES[ended.how].then is Then.GRADE:
        return unrun(plan, spec, "harness-config", f"the agent wrote no {arms.WRITTEN}")
    return unrun(plan, spec, ended.how, ended.message)


def _charged(record: Record, before: Work) -> Record:
    """The record with what came before it added: tokens, cost and seconds."""
    return record._replace(
        usage=total_usage((before.trace.usage, record.usage)),
        cost_usd=_known((before.trace.cost_usd, record.cost_usd)),
        seconds=before.exited.seconds + record.seconds,
    )


@contextmanager
def _room(course: Course, spec: Spec, staged: Sequence[Staging], before: str = "") -> Iterator[Room]:
    """A workspace with a task; `before` comes first in its prompt."""
    mark, plan = new_mark(), course.plan
    fixtures, keep = plan.catalog.fixtures, plan.settings.keep
    with workspace.made(spec.case.files, fixtures, mark=mark, skills=staged, keep=keep) as space:
        folder = space.work / plan.harness.skills_dir
        offered = tuple(place for place in space.skill_dirs if folder in place.parents)
        task = plans.task(plan, spec.case, spec.skill.folder, space.root, offered)
        task = task._replace(prompt=before + task.prompt)
        given = launch(plan.harness, task)
        hand_over(task, given, _handed(spec, space.skill_dirs, space.work))
        try:
            yield Room(plan, space, task, given, mark, course.stop, (fixtures,))
        finally:
            sweep(mark)


def _handed(spec: Spec, skill_dirs: Sequence[Path], work: Path) -> str:
    """The skill's text as a system prompt."""
    where = ", ".join(path.relative_to(work).as_posix() for path in skill_dirs)
    return f"Follow this skill. Its files are in {where}.\n\n{spec.skill.text}"


def _worked(course: Course, room: Room, spec: Spec, offered: str = "") -> Work:
    """What the agent did. Raises _UnfitError where its program isn't there, or an arm is not isolated."""
    settings = course.plan.settings
    try:
        leaked = "; ".join(room.leaks(spec.skill.name)) if course.plan.is_experiment else ""
        if leaked:
            message = f"the arm is not isolated: {leaked}"
            raise _UnfitError(message)
        return room.work(limits=Limits(wall_s=settings.timeout_s, idle_s=settings.idle_s), offered=offered)
    except FileNotFoundError as error:
        message = f"the program {room.launch.argv[0]!r} was not found, or may not be run"
        raise _UnfitError(message) from error


def _in_workspace(course: Course, spec: Spec, staged: Sequence[Staging]) -> tuple[Record, Kept]:
    """Do the task with some skills, and grade it."""
    plan = course.plan
    with _room(course, spec, staged) as room:
        is_offered = spec.arm == arms.TREATED and plan.settings.delivery == "native" and plan.harness.asks_model
        work = _worked(course, room, spec, spec.skill.name if is_offered else "")
        record = _graded(course, room, spec, work)._replace(
            seconds=work.exited.seconds,
            truncated=work.exited.truncated,
            left=work.left,
            version=work.trace.version or plan.machine.version,
            notes=tuple(room.notes(work)),
        )
        return record, work.kept


def _graded(course: Course, room: Room, spec: Spec, work: Work) -> Record:
    plan, trace, snapshot = course.plan, work.trace, work.snapshot
    record = unrun(plan, spec, work.ended.how, work.ended.message)._replace(
        model=trace.model or plan.settings.model,
        usage=trace.usage,
        cost_usd=trace.cost_usd,
        calls=len(trace.calls),
        loaded=None if work.kept.is_text else not trace.loaded.isdisjoint({spec.skill.name, spec.skill.folder}),
        malformed=trace.malformed,
    )
    if CLASSES[work.ended.how].then is not Then.GRADE:
        fails = plan.settings.timeouts_fail and work.ended.how in TIMEOUTS
        return record._replace(status="failed" if fails else "error")
    evidence = Evidence(room.space.work, plan.catalog.fixtures, snapshot.changed, trace, spec.skill.name, room.run)
    text = shown(snapshot.diff, snapshot.status, snapshot.log, snapshot.notes)
    return graded(record, spec, evidence, text, course.bench)


def graded(record: Record, spec: Spec, evidence: Evidence, text: str, bench: Bench) -> Record:
    """The record with its grade; `text` is what `shown` makes of the workspace."""
    grading = grade(spec.case, evidence, text, bench)
    if bench.stop and bench.stop.is_set():  # what was asked may have been cut short
        return record._replace(status="error", how="interrupted", message="the run was interrupted while it was graded")
    return verdict_of(record, grading)


def verdict_of(record: Record, grading: Grading) -> Record:
    """The record with a grading, whose problem makes it an error.

    A control is not asked how it worked: without the skill it can't have read it.
    """
    if grading.problem:
        return record._replace(grading=grading, status="error", how="ungraded", message=grading.problem)
    failed = [each for each in grading.failed if record.arm == arms.TREATED or not each.process]
    status: Status = "failed" if failed else "passed"
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
