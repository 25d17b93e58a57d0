"""One trial: a workspace, the agent in it, what it did, the grade, all of it kept."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from skillcheck.evals.grader import Evidence
from skillcheck.evals.grading.grading import Bench, grade
from skillcheck.evals.plan import plan as plans
from skillcheck.evals.plan.crew import launch
from skillcheck.evals.running import attempts
from skillcheck.evals.running.attempts import described, worked, written_first
from skillcheck.evals.running.room import Room, hand_over
from skillcheck.evals.trace.outcome import CLASSES, TIMEOUTS, Then
from skillcheck.evals.workspace import arm as arms
from skillcheck.evals.workspace import workspace
from skillcheck.evals.workspace.sandbox import new_mark, sweep
from skillcheck.process import Limits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from skillcheck.evals.plan.plan import Plan, Spec
    from skillcheck.evals.running.attempts import Outcome
    from skillcheck.evals.running.room import Work
    from skillcheck.evals.store.record import Grading, Record, Status
    from skillcheck.evals.workspace.workspace import Staging

    Course = attempts.Course[Plan]


def bench(course: Course) -> Bench:
    """Who grades."""
    return Bench(course.plan.judge, course.plan.settings, course.plan.environ, course.stop)


def run(course: Course, spec: Spec) -> Record:
    """Run a trial, again where its outcome may pass by itself, and keep the last attempt. Never raises."""
    return attempts.run(course, spec, lambda: _once(course, spec))


def _once(course: Course, spec: Spec) -> Outcome:
    plan, arm = course.plan, arms.named(spec.arm)
    if arm.writes:
        with _room(course, spec, (), arms.WRITE) as room:
            work = _worked(course, room, spec)
            return written_first(room, spec, work, lambda own: _in_workspace(course, spec, (own,)))
    staged = arm.stage((spec.skill.path.parent,), plan.others(spec.skill), plan.harness.skills_dir)
    return _in_workspace(course, spec, staged)


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
    settings = course.plan.settings
    limits = Limits(wall_s=settings.timeout_s, idle_s=settings.idle_s)
    return worked(room, limits, apart=(spec.skill.name,) if course.plan.is_experiment else (), offered=offered)


def _in_workspace(course: Course, spec: Spec, staged: Sequence[Staging]) -> Outcome:
    """Do the task with some skills, and grade it."""
    plan = course.plan
    with _room(course, spec, staged) as room:
        is_offered = spec.arm == arms.TREATED and plan.settings.delivery == "native" and plan.harness.asks_model
        work = _worked(course, room, spec, spec.skill.name if is_offered else "")
        return _graded(course, room, spec, work), work.kept


def _graded(course: Course, room: Room, spec: Spec, work: Work) -> Record:
    plan, snapshot = course.plan, work.snapshot
    record = described(room, spec, work, {spec.skill.name, spec.skill.folder})
    if CLASSES[work.ended.how].then is not Then.GRADE:
        fails = plan.settings.timeouts_fail and work.ended.how in TIMEOUTS
        return record._replace(status="failed" if fails else "error")
    evidence = Evidence(room.space.work, plan.catalog.fixtures, snapshot.changed, work.trace, spec.skill.name, room.run)
    text = shown(snapshot.diff, snapshot.status, snapshot.log, snapshot.notes)
    return graded(record, spec, evidence, text, bench(course))


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
