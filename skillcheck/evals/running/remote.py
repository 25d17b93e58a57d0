"""Evals on another machine: what to send of a plan, and the same plan there."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from skillcheck.catalog import load
from skillcheck.errors import UsageError
from skillcheck.evals.executor import Kind
from skillcheck.evals.plan import key, planning
from skillcheck.evals.running import job, trial
from skillcheck.evals.running.job import There, name_of
from skillcheck.evals.workspace import digest, tree
from skillcheck.evals.workspace.workspace import NOT_STAGED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from skillcheck.evals.plan.plan import Plan
    from skillcheck.evals.running.job import Job


def sent(plan: Plan) -> Job:
    """What to send of a plan. Raises UsageError for files that lie outside the catalog's root."""
    subject = plan.catalog.config, plan.settings._replace(executor="", shard=(1, 1))
    return job.made(plan, subject, _named(plan), planned, trial.run)


def _named(plan: Plan) -> Iterator[tuple[str, Path]]:
    root = plan.catalog.config.root
    for path in _files(plan):
        name = os.path.relpath(path, root)
        if name.startswith(os.pardir):
            message = f"{path} lies outside the catalog's root {root}, and can't be sent to another machine"
            raise UsageError(message)
        yield name, path


def _files(plan: Plan) -> Iterator[Path]:
    """All that a plan's trials read."""
    for skill in plan.catalog.skills:
        yield from (Path(entry.path) for entry in tree.entries(skill.path.parent, NOT_STAGED))
    yield from (spec.file.path for spec in plan.specs)
    for name in sorted({name for spec in plan.specs for name in key.fixtures(spec.case)}):
        yield plan.catalog.fixtures / name


def planned(job: Job, root: Path, environ: Mapping[str, str]) -> There:
    """The plan of a job, there."""
    config, settings = job.subject
    plan = planning.prepared(load.load((), replace(config, root=root, source=None), root), settings, environ)
    of_tree, wanted = cache(digest.of_tree), {name[:3] for name in job.names}
    specs = {
        name_of(spec): spec
        for entry in planning.evals(plan.catalog)
        for arm in settings.arms
        if (entry[0].name, str(entry[2].id), arm) in wanted
        for spec in planning.trials(plan, entry, arm, of_tree)
    }
    return There(plan, specs, replace(plan, specs=tuple(specs.values())).missing)


EVALS = Kind(trial.run, sent)
