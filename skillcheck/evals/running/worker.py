"""A process that carries jobs out for others: it takes a job, does its trials one by one, and forgets it.

All of it runs in a Dask worker; what is sent and returned is pickled.
"""

from __future__ import annotations

import asyncio
import os
import threading
from typing import TYPE_CHECKING, Any, NamedTuple

from skillcheck.errors import SkillcheckError
from skillcheck.evals.running.job import hold

if TYPE_CHECKING:
    from collections.abc import Mapping

    from skillcheck.evals.running.job import Held, Job, Name, Offer

_POLL_S = 0.5
_HELD: dict[str, Held] = {}
"""The jobs that this process was handed, by their ident."""


class Sent(NamedTuple):
    """What a worker sends of a trial: its files in the store, by name.

    `fault` says why it could not begin, as another worker may; `holds` is false where it wasn't handed the job, since
    it is a new process at the address of one that was.
    """

    files: Mapping[str, bytes] = {}
    fault: str = ""
    holds: bool = True


async def take(job: Job, dask_worker: Any) -> tuple[str, Offer]:
    """Take a job; the worker goes on answering meanwhile. Returns its name, and what it makes of it."""
    _HELD[job.ident] = held = await asyncio.to_thread(hold, job, os.environ)
    return str(dask_worker.name), held.offer


def do(ident: str, name: Name) -> Sent:
    """Do a trial of a job."""
    from distributed import get_worker  # noqa: PLC0415 - it is an extra

    if ident not in _HELD:
        return Sent(holds=False)
    stop, done, worker = threading.Event(), threading.Event(), get_worker()
    watch = threading.Thread(target=_watch, args=(worker, worker.get_current_task(), stop, done), daemon=True)
    watch.start()
    try:
        record, files = _HELD[ident].run(name, stop)
    except (SkillcheckError, OSError) as error:
        return Sent(fault=str(error))
    finally:
        done.set()
        watch.join()
    is_lacking = record.how == "workspace" and not record.seconds
    return Sent(files, record.message if is_lacking else "")


def _watch(worker: Any, key: str, stop: threading.Event, done: threading.Event) -> None:
    """End a trial that nobody waits for any more: Dask forgets what it is asked to cancel, and lets it run on."""
    while not done.wait(_POLL_S):
        task = worker.state.tasks.get(key)
        if task is None or task.state == "cancelled":
            stop.set()


def forget(ident: str) -> None:
    """Let a job go, and its files."""
    held = _HELD.pop(ident, None)
    if held:
        held.close()
