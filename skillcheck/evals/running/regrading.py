"""Grade stored trials again, without an agent: the workspace is made anew from the fixture and the stored patch."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from skillcheck.diagnostic import clipped
from skillcheck.errors import SkillcheckError, UsageError
from skillcheck.evals.grader import Evidence
from skillcheck.evals.grading.grading import still_judged
from skillcheck.evals.harness import Launch
from skillcheck.evals.plan import key
from skillcheck.evals.plan import plan as plans
from skillcheck.evals.plan.plan import Spec
from skillcheck.evals.plan.planning import evals, prepared
from skillcheck.evals.running.attempts import Course
from skillcheck.evals.running.evaluation import store_of
from skillcheck.evals.running.results import Result, Results
from skillcheck.evals.running.room import Room
from skillcheck.evals.running.runner import progress
from skillcheck.evals.running.trial import bench, graded, shown, verdict_of
from skillcheck.evals.store import chain
from skillcheck.evals.store.store import RUN, about, kept_in
from skillcheck.evals.trace.outcome import CLASSES, Then
from skillcheck.evals.workspace import sandbox, workspace
from skillcheck.evals.workspace import state as states

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from skillcheck.catalog.cases import CaseFile, Eval
    from skillcheck.catalog.catalog import Catalog
    from skillcheck.catalog.skill import Skill
    from skillcheck.evals.plan.plan import Plan
    from skillcheck.evals.plan.settings import Settings
    from skillcheck.evals.running.runner import Progress
    from skillcheck.evals.store.record import Record
    from skillcheck.evals.store.store import Stored
SHOWN = 300
"""How much of the reasons a message tells, in code points."""


def regrade(
    catalog: Catalog,
    settings: Settings,
    environ: Mapping[str, str],
    run: Path,
    tell: Callable[[Progress], None] | None = None,
    stop: threading.Event | None = None,
) -> Results:
    """Grade a stored run again, in place, by today's cases; trials that ended in another error stay as they are.

    Raises SkillcheckError for a run that can't be read, and where the grader lacks something; UsageError where it holds
    nothing that can be graded again, as a run of task packages does.
    """
    plan = _plan(catalog, settings, environ, run)
    store = store_of(catalog.config, environ, plan.harness.keys)
    stop = stop or threading.Event()
    course = Course(plan, store, run, stop)
    found, faults = store.read(run)
    cases = {(skill.name, str(case.id)): (skill, file, case) for skill, file, case in evals(catalog)}
    known = [(stored, _spec(stored, cases[_name(stored)])) for stored in found if _name(stored) in cases]
    gone = tuple(_gone(stored) for stored in found if _name(stored) not in cases)
    if not known:
        reasons = "; ".join((*faults, *gone)) or "it holds no trials"
        message = f"nothing of {run.name} can be graded again: {clipped(reasons, SHOWN)}"
        raise UsageError(message)
    plan = replace(plan, specs=tuple(spec for _, spec in known))
    if plan.judged and plan.machine.grader_lacks:
        raise SkillcheckError("; ".join(plan.machine.grader_lacks))
    changes = chain.unseal(run)
    records: list[Record] = []
    for stored, spec in known:
        records.append(stored.record if stop.is_set() else _again(course, stored, spec))
        (tell or _untold)(progress(len(plan.specs), records))
    results = tuple(Result(spec, record) for spec, record in zip(plan.specs, records, strict=True))
    return Results(plan, results, run.name, (*faults, *gone, *chain.seal(run, changes)))


def _spec(stored: Stored, known: tuple[Skill, CaseFile, Eval]) -> Spec:
    record = stored.record
    return Spec(*known, record.trial, record.key, record.arm)


def _name(stored: Stored) -> tuple[str, str]:
    return stored.record.skill, stored.record.eval


def _untold(_: Progress) -> None:
    """Nobody asked how far it is."""


def _plan(catalog: Catalog, settings: Settings, environ: Mapping[str, str], run: Path) -> Plan:
    """What there is to know of the run that is graded again: its agent, and today's grader."""
    told = about(run)
    names = ("harness", "delivery", "model")
    missing = [name for name in names if name not in told]
    if missing:
        message = f"{run / RUN} can't be read: {missing[0]!r} is missing"
        raise SkillcheckError(message)
    arms = tuple(told.get("settings", {}).get("arms", settings.arms))
    given = settings._replace(**{name: told[name] for name in names}, arms=arms)
    return prepared(catalog, given, environ)


def _gone(stored: Stored) -> str:
    skill, case = _name(stored)
    return f"eval {case} of {skill} is no more in the catalog, and was left as it is"


def _again(course: Course[Plan], stored: Stored, spec: Spec) -> Record:
    """The record with a new grade, stored in its place."""
    record = stored.record
    if CLASSES[record.ended].then is not Then.GRADE:
        return record
    mark = sandbox.new_mark()
    try:
        record = _graded(course, stored, spec, mark)
    except SkillcheckError as error:
        record = record._replace(status="error", how="ungraded", message=str(error))
    finally:
        sandbox.sweep(mark)
    if course.stop.is_set():
        return stored.record
    record = course.store.clean(record._replace(key=key.regraded(record.key, course.plan, spec)))
    course.store.regrade(stored.folder, record)
    return record


def _graded(course: Course[Plan], stored: Stored, spec: Spec, mark: str) -> Record:
    kept, plan = kept_in(stored.folder), course.plan
    before = stored.record._replace(how=stored.record.ended, message="")
    text = shown(states.shown(kept.patch), kept.status, kept.log)
    with workspace.rebuild(spec.case.files, plan.catalog.fixtures, kept.patch, mark=mark) as space:
        task = plans.task(plan, spec.case, spec.skill.folder, space.root)
        run = Room(plan, space, task, Launch(()), mark, course.stop, (plan.catalog.fixtures,)).run
        evidence = Evidence(space.work, plan.catalog.fixtures, kept.changed, kept.trace, spec.skill.name, run)
        after = graded(before, spec, evidence, text, bench(course))
    grading = still_judged(stored.record.grading, after.grading, spec.case)
    return after if grading == after.grading else verdict_of(after, grading)
