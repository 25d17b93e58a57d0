"""Tasks on another machine: what to send of a plan, and the same plan there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.bench import plan as plans
from skillcheck.bench import trial
from skillcheck.bench.load import Loaded, load
from skillcheck.evals.executor import Kind
from skillcheck.evals.running import job
from skillcheck.evals.running.job import There, name_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from skillcheck.bench.plan import Plan
    from skillcheck.evals.running.job import Job


def sent(plan: Plan) -> Job:
    """What to send of a plan."""
    settings = plan.settings._replace(executor="", shard=(1, 1))
    files = ((package.id, package.folder) for package in plan.whole)  # a control may stage the skills of others
    return job.made(plan, (plan.name, plan.choice._replace(ids=()), settings), files, planned, trial.run)


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
