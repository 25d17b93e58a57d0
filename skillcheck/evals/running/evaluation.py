"""Carry a plan out: prepare the store and the sandbox, run the trials, clear up what killed runs left."""

from __future__ import annotations

import shlex
import threading
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

from skillcheck import __version__
from skillcheck.config import repository
from skillcheck.errors import SkillcheckError
from skillcheck.evals import executor as executors
from skillcheck.evals.plan import key
from skillcheck.evals.running import attempts, runner
from skillcheck.evals.running.attempts import Course, P
from skillcheck.evals.running.remote import EVALS
from skillcheck.evals.running.results import Result, Results
from skillcheck.evals.running.runner import Planned, Progress, Steps
from skillcheck.evals.store import chain
from skillcheck.evals.store.redact import redactor
from skillcheck.evals.store.store import NOTHING, Store
from skillcheck.evals.trace.outcome import NOT_OFFERED
from skillcheck.evals.workspace import digest, git, sandbox, workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from pathlib import Path

    from skillcheck.config import Config
    from skillcheck.evals.executor import Taken
    from skillcheck.evals.plan.crew import Crew
    from skillcheck.evals.plan.plan import Plan, Spec
    from skillcheck.evals.store.record import Record


TASK_SET = "behavioral"
"""What the evals of a catalog are called as a set of tasks."""


S = TypeVar("S", bound=Planned)


def store_of(config: Config, environ: Mapping[str, str], names: Collection[str] = ()) -> Store:
    """The store of a catalog's runs, which keeps the values of `names` and of what looks like a key out of it."""
    return Store((config.root / config.cases).parent / "results", redactor(environ, names))


def evaluate(
    plan: Plan, tell: Callable[[Progress], None] | None = None, stop: threading.Event | None = None
) -> Results:
    """Run the trials of a plan; one without trials leaves no run, unless it is a shard of one that has some.

    Raises SkillcheckError for what all would lack.
    """
    (results,) = evaluate_all((plan,), tell, stop)
    return results


def _unless_lost(run: Callable[[Course[Plan], Spec], Record]) -> Callable[[Course[Plan], Spec], Record]:
    """The same but for the other trials of a skill that the agent was not offered in one: they are skipped."""
    lost: dict[tuple[str, str], str] = {}

    def run_unless_lost(course: Course[Plan], spec: Spec) -> Record:
        where = lost.get((spec.skill.name, spec.arm))
        if where:
            message = f"skipped: the agent was not offered the skill in {where}"
            return attempts.run(course, spec, lambda: (runner.unrun(course.plan, spec, NOT_OFFERED, message), NOTHING))
        record = run(course, spec)
        if record.how == NOT_OFFERED:
            lost[spec.skill.name, spec.arm] = f"trial {spec.trial} of eval {spec.case.id}"
        return record

    return run_unless_lost


def evaluate_all(
    plans: Sequence[Plan], tell: Callable[[Progress], None] | None = None, stop: threading.Event | None = None
) -> tuple[Results, ...]:
    """Carry out plans for several agents, one after the other, within one budget; each where its settings say.

    Raises SkillcheckError for what one of them lacks, before any is begun, and where its executor is gone.
    """
    stop = stop or threading.Event()
    with ExitStack() as stack:
        taken = [stack.enter_context(executors.taken(plan, EVALS, plan.settings, stop)) for plan in plans]
        missing = dict.fromkeys(what for each in taken for what in each.lacks if each.plan.specs)
        if missing:
            raise SkillcheckError("; ".join(missing))
        total, before = sum(len(plan.specs) for plan in plans), Progress(0)
        found: list[Results] = []
        for each in taken:
            told = partial(_tell_all, tell or (lambda _: None), before, total)
            found.append(_evaluated(each._replace(plan=_within(each.plan, before.cost_usd)), told, stop))
            before = before.plus(runner.progress(len(each.plan.specs), found[-1].records))
        return tuple(found)


def _evaluated(taken: Taken[Plan], tell: Callable[[Progress], None], stop: threading.Event) -> Results:
    plan = taken.plan
    if not plan.whole:
        return Results(plan, ())
    store = store_of(plan.catalog.config, plan.environ, (*plan.harness.keys, *plan.settings.env))
    course = begin(plan, store, _about(plan), stop)
    records = carry_out(course, plan.specs, _unless_lost(taken.run), tell)
    results = tuple(map(Result, plan.specs, records))
    warnings = (*plan.warnings, *taken.warnings(), *chain.seal(course.run))
    return Results(plan, results, course.run.name, warnings)


def _tell_all(tell: Callable[[Progress], None], before: Progress, total: int, now: Progress) -> None:
    tell(before.plus(now)._replace(total=total))


def _within(plan: Plan, spent: float) -> Plan:
    """The plan with what is left of the budget."""
    cap = plan.settings.max_cost_usd
    left = None if cap is None else max(cap - spent, 0.0)
    return replace(plan, settings=plan.settings._replace(max_cost_usd=left))


def begin(plan: P, store: Store, about: Mapping[str, Any], stop: threading.Event | None = None) -> Course[P]:
    """Clear up what killed runs left, and make the folder of a new one. Raises SkillcheckError where that can't be."""
    sandbox.sweep_abandoned()
    workspace.remove_abandoned(sandbox.is_abandoned)
    return Course(plan, store, store.begin(datetime.now(UTC), about), stop or threading.Event())


def carry_out(
    course: Course[P],
    specs: Sequence[S],
    run: Callable[[Course[P], S], Record],
    tell: Callable[[Progress], None] | None = None,
    renewed: Callable[[Record], Record] = lambda record: record,
) -> tuple[Record, ...]:
    """What became of some trials; a stored one of the same key is used again, `renewed` by what the key leaves out."""
    steps = Steps[S](
        lambda spec: _stored(course, spec, renewed), lambda spec: run(course, spec), tell or (lambda _: None)
    )
    return runner.run(course.plan, specs, steps, course.stop)


def _stored(course: Course[P], spec: Planned, renewed: Callable[[Record], Record]) -> Record | None:
    """A stored result of the same key, kept in this run too, so that a run is whole by itself."""
    found = None if course.plan.settings.fresh else course.store.find(spec.key)
    if found is None or not chain.is_as_left(found.folder, found.folder.parents[2]):
        return None  # what was edited by hand is run again
    record = renewed(found.record._replace(reused=found.record.reused or found.folder.parents[2].name))
    try:
        course.store.copy(found.folder, course.run, record)
    except SkillcheckError as error:  # the others go on, and this one is not paid for again
        return runner.unrun(course.plan, spec, "workspace", str(error))
    return record


def _about(plan: Plan) -> dict[str, Any]:
    """What run.json says beside the trials."""
    skills = {spec.skill.name: spec for spec in plan.specs}
    evals = {spec.task: spec for spec in plan.specs}
    of_tree = cache(digest.of_tree)
    tasks = {name: key.of_task(plan, spec, of_tree) for name, spec in evals.items()}
    return {
        **described(plan, plan.catalog.config.root, plan.whole),
        "grader": plan.judge.name if plan.judge else "",
        "grader_model": plan.settings.grader_model,
        "skills": {name: digest.of_tree(spec.skill.path.parent) for name, spec in skills.items()},
        "cases": {name: digest.of_tree(spec.file.path) for name, spec in skills.items()},
        "fixtures": {name: of_tree(plan.catalog.fixtures / name) for name in sorted(_fixtures(plan))},
        "tasks": {name: {"digest": each} for name, each in tasks.items()},
        "task_set": TASK_SET,
        "task_set_digest": digest.of_set(TASK_SET, tasks),
        "commands": sorted({shlex.join(plan.launch(spec.case).argv) for spec in plan.specs}),
    }


def described(crew: Crew, root: Path, whole: Sequence[str]) -> dict[str, Any]:
    """What run.json says of every run: what ran it, how, and at which commit the folder `root` stood.

    A shard says too what the `whole` of its tasks is called.
    """
    settings = crew.settings
    return {
        "skillcheck": __version__,
        "harness": crew.harness.name,
        "harness_version": crew.machine.version,
        "model": settings.model,
        "delivery": settings.delivery,
        "sandbox": crew.sandbox.kind,
        "settings": {**settings._asdict(), "options": dict(settings.options)},
        **({"shard_of": list(whole)} if settings.is_part else {}),
        "programs": key.programs(crew),
        "environment": sorted(name for name in crew.environ if name in {*crew.harness.keys, *settings.env}),
        **_state_of(root),
    }


def _fixtures(plan: Plan) -> set[str]:
    return {name for spec in plan.specs for name in key.fixtures(spec.case)}


def _state_of(root: Path) -> dict[str, Any]:
    """The commit that a folder stands at, and whether it has been changed since; null where there is none."""
    folder = repository(root)
    try:
        commit = git.run(folder / ".git", "rev-parse", "HEAD").decode().strip() if folder else None
        changes = git.run(folder / ".git", "status", "--porcelain", work=folder) if folder else b""
    except SkillcheckError:
        return {"commit": None, "dirty": None}
    return {"commit": commit, "dirty": bool(changes) if commit else None}
