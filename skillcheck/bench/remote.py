"""Tasks on another machine: what to send of a plan, and the same plan there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.bench import plan as plans
from skillcheck.bench import trial
from skillcheck.bench.load import Loaded, load
from skillcheck.evals import job
from skillcheck.evals.executor import Kind
from skillcheck.evals.job import There, name_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from skillcheck.bench.plan import Plan
    from skillcheck.evals.job import Job


def sent(plan: Plan) -> Job:
    """What to send of a plan."""
    choice = plan.choice._replace(ids=(), shard=(1, 1))
    subject = plan.name, choice, plan.settings._replace(executor="")
    return job.made(plan, subject, ((package.id, package.folder) for package in plan.packages), planned, trial.run)


def planned(job: Job, root: Path, environ: Mapping[str, str]) -> There:
    """The plan of a job, there; it lacks what a task can't be run without."""
    name, choice, settings = job.subject
    every = [load(folder, folder.name) for folder in sorted(root.iterdir())]
    loaded = Loaded(tuple(package for each in every for package in each.packages), ())
    plan = plans.make(name, loaded, choice, settings, environ, (root,))
    wanted = set(job.names)
    specs = {name_of(spec): spec for spec in plan.specs if name_of(spec) in wanted}
    gone = dict.fromkeys(task for _, task, *_ in wanted - specs.keys())
    refused = (f"{each.path}: {each.message}" for each in plan.findings if each.path.partition("/")[0] in gone)
    return There(plan, specs, (*plan.missing, *refused))


TASKS = Kind(trial.run, sent)
