"""One trial of a task: its files, an agent or the oracle at work on them, and the verifier's word on the outcome."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from skillcheck import process
from skillcheck.bench import local, verify
from skillcheck.bench.checks import skill_names
from skillcheck.bench.choice import scored
from skillcheck.bench.container import Container
from skillcheck.bench.plan import ORACLE, resolved, task
from skillcheck.errors import SkillcheckError
from skillcheck.evals import harness
from skillcheck.evals.harness import Launch
from skillcheck.evals.plan.crew import launch
from skillcheck.evals.running import attempts
from skillcheck.evals.running.attempts import described, worked, written_first
from skillcheck.evals.running.room import Room, hand_over
from skillcheck.evals.trace.outcome import CLASSES, TIMEOUTS, Then
from skillcheck.evals.workspace import arm as arms
from skillcheck.evals.workspace import workspace
from skillcheck.evals.workspace.sandbox import MARK, new_mark, sweep
from skillcheck.process import Limits

if TYPE_CHECKING:
    import threading
    from collections.abc import Iterator, Sequence

    from skillcheck.bench.package import Package
    from skillcheck.bench.plan import Plan, Spec
    from skillcheck.evals.harness import Task
    from skillcheck.evals.plan.crew import Walls
    from skillcheck.evals.running.attempts import Outcome
    from skillcheck.evals.running.room import Work
    from skillcheck.evals.store.record import Record
    from skillcheck.evals.workspace.fixture import Patch
    from skillcheck.evals.workspace.workspace import Staging, Workspace

_SEED_S = 600
"""How long copying the files of an image may take."""
_SEED = "/skillcheck-work"


class Place(NamedTuple):
    """A room, and the folders that the verifier needs beside its own."""

    room: Room
    folders: local.Room


def run(course: attempts.Course[Plan], spec: Spec) -> Record:
    """Run a trial, again where its outcome may pass by itself, and keep the last attempt. Never raises."""
    return attempts.run(course, spec, lambda: once(course.plan, spec, course.stop))


def once(plan: Plan, spec: Spec, stop: threading.Event) -> Outcome:
    """One attempt. Raises SkillcheckError and OSError where something is missing or the disk fails."""
    if arms.named(spec.arm).writes:
        with _opened(plan, spec, (), stop, arms.WRITE) as place:
            work = _worked(plan, spec.package, place.room)
            return written_first(place.room, spec, work, lambda own: _in_place(plan, spec, (own,), stop))
    return _in_place(plan, spec, plan.staged(spec.package, spec.arm), stop)


def _worked(plan: Plan, package: Package, room: Room, offered: str = "") -> Work:
    wall = package.settings.agent_timeout_s * plan.choice.execute_multiplier
    names = skill_names(package) or (package.id,)
    limits = Limits(wall_s=wall, idle_s=plan.settings.idle_s)
    return worked(room, limits, apart=names if plan.is_experiment else (), offered=offered)


def _in_place(plan: Plan, spec: Spec, staged: Sequence[Staging], stop: threading.Event) -> Outcome:
    """Do the task with some skills, and have it verified."""
    package, names = spec.package, skill_names(spec.package)
    with _opened(plan, spec, staged, stop) as place:
        is_offered = names and spec.arm == arms.TREATED and plan.harness.asks_model
        work = _worked(plan, package, place.room, names[0] if is_offered else "")
        record = described(place.room, spec, work, {*names, *(folder.name for folder in package.skills)})
        return (_verified(plan, package, place, record) if _counts(work) else record), work.kept


def _counts(work: Work) -> bool:
    """Whether the work is judged: also where the time was up, but not where the model fell silent."""
    how = work.ended.how
    return (
        CLASSES[how].then is Then.GRADE or how == "agent-timeout" or (how in TIMEOUTS and work.exited.stopped == "wall")
    )


def _verified(plan: Plan, package: Package, place: Place, record: Record) -> Record:
    how = "agent-timeout" if record.how in TIMEOUTS else record.how
    problem, said = verify.verify(plan, package, *place)
    record = record._replace(verified=said, how=how)
    if problem:
        return record._replace(how=problem.how, message=problem.message)
    return scored(record, plan.choice)


@contextmanager
def _opened(
    plan: Plan, spec: Spec, staged: Sequence[Staging], stop: threading.Event, before: str = ""
) -> Iterator[Place]:
    """A workspace with a task's files; `before` comes first in its prompt."""
    package, mark, keep = spec.package, new_mark(), plan.settings.keep
    with workspace.filled(lambda work: _fill(plan, package, work), mark=mark, skills=staged, keep=keep) as space:
        folders = local.Room.made(space.root)
        offered = tuple(path for path in space.skill_dirs if space.work / plan.harness.skills_dir in path.parents)
        told = task(plan, package, space.root, offered)
        told = told._replace(prompt=before + told.prompt)
        given = _launch(plan, package, told, folders)
        hand_over(told, given)
        crew = plan.on(_walls(plan, package, told, given, space, mark))
        room = Room(crew, space, told, given, mark, stop)
        if plan.sandbox.kind != "none":
            places = local.places(package, folders)
            workdir = local.recipe(package).workdir
            seen = places if plan.harness.name == ORACLE else {workdir: folders.work}
            room = Room(crew, space, told, given, mark, stop, places=seen, cwd=Path(workdir))
        try:
            yield Place(room, folders)
        finally:
            sweep(mark)
            if isinstance(crew.sandbox, Container):  # a client that is killed leaves its container running
                process.run((crew.sandbox.kind, "rm", "--force", crew.sandbox.name), cwd=space.root)


def _launch(plan: Plan, package: Package, told: Task, folders: local.Room) -> Launch:
    """The agent's command line; an oracle's has what verifiers have."""
    settings = package.settings
    if plan.harness.name == ORACLE and package.oracle:
        env = {**local.variables(package, folders, plan.environ), **resolved(settings.oracle_env, plan.environ)}
        return Launch(local.ready(package.oracle, folders), env=env)
    given = launch(plan.harness, told)
    own = {**local.recipe(package).env, **resolved(settings.env, plan.environ)}
    return given._replace(env={**own, **given.env})


def _walls(plan: Plan, package: Package, told: Task, given: Launch, space: Workspace, mark: str) -> Walls:
    if plan.choice.environment == "local":
        return plan.sandbox
    env = {*harness.environment(plan.harness, told, given, plan.settings.env), *package.settings.verifier_env, MARK}
    engine, image = plan.choice.environment, plan.image(package)
    names = tuple(sorted(env - {"PATH"}))
    return Container(engine, image, plan.granted(package), names, (space.handed,), f"skillcheck-{mark}")


def _fill(plan: Plan, package: Package, work: Path) -> tuple[Patch, ...]:
    """Put a task's files into the work folder: the environment's, or those that its image has there."""
    if plan.choice.environment == "local":
        local.stage(package, work)
        return ()
    image = Container(plan.choice.environment, plan.image(package), plan.granted(package))
    inside = f"{local.recipe(package).workdir}/."
    argv = image.wrap(("cp", "-a", inside, _SEED), work=Path("/"), writable=(), needed=(), places={_SEED: work})
    done = process.run(argv, cwd=work, timeout_s=_SEED_S)
    if done.status:
        said = done.stderr.decode("utf-8", "replace").strip()
        message = f"the files of the image {image.image} can't be copied: {said}"
        raise SkillcheckError(message)
    return ()
