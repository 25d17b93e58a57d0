"""Threads on this machine."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from skillcheck.errors import UsageError
from skillcheck.evals.executor import Executor, Taken

if TYPE_CHECKING:
    import threading
    from contextlib import AbstractContextManager

    from skillcheck.evals.executor import Kind


def taken(
    plan: Any,
    kind: Kind,
    address: str,
    stop: threading.Event,  # noqa: ARG001 - nobody is waited for
) -> AbstractContextManager[Taken[Any]]:
    """One trial at a time, if nothing else was said. Raises UsageError for an address."""
    if address:
        message = f"executor 'local' is this machine and has no address, not {address!r}"
        raise UsageError(message)
    here = replace(plan, settings=plan.settings._replace(jobs=plan.settings.jobs or 1))
    return nullcontext(Taken(here, kind.run, plan.missing))


EXECUTOR = Executor("local", taken)
