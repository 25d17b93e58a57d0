"""Threads on this machine."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from skillcheck.errors import UsageError
from skillcheck.evals import trial
from skillcheck.evals.executor import Executor, Taken

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from skillcheck.evals.plan import Plan


def taken(plan: Plan, address: str) -> AbstractContextManager[Taken]:
    """One trial at a time, if nothing else was said. Raises UsageError for an address."""
    if address:
        message = f"executor 'local' is this machine and has no address, not {address!r}"
        raise UsageError(message)
    here = replace(plan, settings=plan.settings._replace(jobs=plan.settings.jobs or 1))
    return nullcontext(Taken(here, trial.run, plan.missing))


EXECUTOR = Executor("local", taken)
