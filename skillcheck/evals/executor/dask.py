"""A Dask cluster: `dask:ADDRESS` with its scheduler's address. Files are handed to each worker once, then trials.

Workers need skillcheck of the same version, git and the agent; no folder is shared. A worker that lacks something is
left out. A trial whose worker dies is given to another, and one whose result has arrived is never run again.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
import time
from concurrent import futures
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from skillcheck.errors import SkillcheckError, UsageError
from skillcheck.evals.executor import Executor, Taken
from skillcheck.evals.plan.machine import Machine
from skillcheck.evals.running.job import Offer, hold, name_of
from skillcheck.evals.running.runner import unrun
from skillcheck.evals.workspace.sandbox import Sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from skillcheck.evals.executor import Kind
    from skillcheck.evals.running.attempts import Course
    from skillcheck.evals.running.job import Held, Job, Name
    from skillcheck.evals.running.runner import Planned
    from skillcheck.evals.store.record import Record

CONNECT_S = 10.0
"""How long a scheduler may take to answer."""
PATIENCE_S = 20.0
"""How long to wait for a worker where there is none."""
_POLL_S = 0.5
_HELD: dict[str, Held] = {}
"""In a worker: the jobs that it was handed."""


@contextmanager
def taken(plan: Any, kind: Kind, address: str) -> Iterator[Taken[Any]]:
    """Hand the plan to the workers of a cluster, and let them forget it at the end."""
    with _connected(address) as client:
        job = kind.sent(plan)
        cluster = _Cluster(client, address, job)
        fit = cluster.fit(PATIENCE_S)
        if not fit and not cluster.unfit:
            raise SkillcheckError(cluster.nobody())
        there = _as_there(plan, cluster.offer, sum(fit.values()))
        cluster.offer = cluster.offer or Offer(tuple(spec.key for spec in plan.specs), "", plan.sandbox.kind, ())
        try:
            yield Taken(there, cluster.run, warnings=tuple(cluster.left_out))
        finally:
            if client.status == "running":
                client.run(_forget, job.ident, on_error="ignore")


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    if not address:
        message = "executor 'dask' needs its scheduler's address, as in dask:tcp://host:8786"
        raise UsageError(message)
    try:
        import distributed  # noqa: PLC0415 - it is an extra, and costs half a second
    except ImportError as error:
        message = "executor 'dask' needs the package distributed: pip install 'skillcheck-evals[dask]'"
        raise UsageError(message) from error
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # it prints tracebacks of what is told in a line
    try:
        distributed.comm.resolve_address(address)  # what is no address makes the client hang
    except ValueError as error:
        message = f"{address!r} is no address of a Dask scheduler: {error}"
        raise UsageError(message) from error
    except OSError as error:
        message = f"no Dask scheduler answers at {address!r}: {error.strerror}"
        raise SkillcheckError(message) from error
    try:
        client = distributed.Client(address, timeout=CONNECT_S, set_as_default=False)
    except OSError as error:
        message = f"no Dask scheduler answers at {address!r}: {str(error) or 'it is silent'}"
        raise SkillcheckError(message) from error
    with client:
        yield client


def _as_there(plan: Any, offer: Offer | None, threads: int) -> Any:
    """The plan as the workers carry it out; where none can, as it is, and every trial will tell."""
    plan = replace(plan, settings=plan.settings._replace(jobs=plan.settings.jobs or max(threads, 1)))
    if offer is None:
        return replace(plan, machine=Machine(None, ""))
    specs = tuple(spec._replace(key=key) for spec, key in zip(plan.specs, offer.keys, strict=True))
    sandbox = plan.sandbox if plan.sandbox.kind == offer.sandbox else Sandbox(offer.sandbox)
    return replace(plan, specs=specs, machine=Machine(None, offer.version), sandbox=sandbox)


@dataclass
class _Cluster:
    """What is known of the workers, by address; several threads ask.

    `able` are those that can carry the job out, all with the same `offer`; `unfit` says of each other one why not.
    """

    client: Any
    address: str
    job: Job
    offer: Offer | None = None
    able: set[str] = field(default_factory=set)
    unfit: dict[str, str] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    seen: tuple[float, Mapping[str, int]] = (-_POLL_S, {})

    @property
    def left_out(self) -> list[str]:
        """A line for each worker that isn't used."""
        return [f"{reason}; it is left out" for reason in self.unfit.values()]

    def fit(self, patience_s: float = 0.0) -> Mapping[str, int]:
        """The workers that can carry the job out, with their threads; new ones are handed it first.

        Waits for as long where there is no worker at all. Raises SkillcheckError where the scheduler is gone.
        """
        until = time.monotonic() + patience_s
        while True:
            with self.lock:
                present = self._present()
                new = [address for address in present if address not in self.able and address not in self.unfit]
                if new:
                    self._hand_over(new)
            if present or time.monotonic() > until:
                return {address: threads for address, threads in present.items() if address in self.able}
            time.sleep(_POLL_S)

    def _present(self) -> Mapping[str, int]:
        """All workers; asked for once in a while, however many trials wait."""
        now = time.monotonic()
        if now - self.seen[0] >= _POLL_S:
            try:
                if self.client.status != "running":
                    raise self.gone()
                self.seen = now, self.client.nthreads()
            except OSError as error:
                raise self.gone() from error
        return self.seen[1]

    def gone(self) -> SkillcheckError:
        """What to raise where nobody answers any more."""
        message = f"the Dask scheduler at {self.address} is gone; what had finished is kept: the same command goes on"
        return SkillcheckError(message)

    def _hand_over(self, new: list[str]) -> None:
        answers = self.client.run(_take, self.job, workers=new, on_error="return")
        for address, answer in sorted(answers.items()):
            if isinstance(answer, OSError):
                continue  # it has died meanwhile
            if isinstance(answer, Exception):
                told = str(answer) if isinstance(answer, SkillcheckError) else f"{type(answer).__name__}: {answer}"
                self.unfit[address] = f"worker {address} can't take the run over: {told}"
                continue
            name, offer = answer
            who = f"worker {name}" if name == address else f"worker {name} ({address})"
            reasons = offer.lacks or tuple(filter(None, [offer.differs(self.offer or offer)]))
            if reasons:
                self.unfit[address] = f"{who}: {'; '.join(reasons)}"
            else:
                self.offer = self.offer or offer
                self.able.add(address)

    def run(self, course: Course[Any], spec: Planned) -> Record:
        """Let some worker do a trial, and keep what it sends. Raises SkillcheckError where the scheduler is gone."""
        while not course.stop.is_set():
            fit = self.fit(PATIENCE_S)
            if not fit:
                return unrun(course.plan, spec, "harness-config", self.nobody())
            files = self._asked(spec, set(fit), course.stop)
            if isinstance(files, str):
                return unrun(course.plan, spec, "workspace", files)
            if files is not None:
                try:
                    return course.store.take(course.run, files)
                except SkillcheckError as error:
                    return unrun(course.plan, spec, "workspace", str(error))
        return unrun(course.plan, spec, "interrupted", "the run was interrupted while a worker did this trial")

    def nobody(self) -> str:
        """Why nobody can do a trial."""
        return "; ".join(self.unfit.values()) or f"the Dask scheduler at {self.address} has no worker"

    def _asked(self, spec: Planned, workers: set[str], stop: threading.Event) -> Mapping[str, bytes] | str | None:
        """What a worker sends of a trial, or why it can't; None where all of these are gone, or `stop` is set."""
        import distributed  # noqa: PLC0415 - see above

        name = name_of(spec)
        future = self.client.submit(_do, self.job.ident, name, workers=sorted(workers), pure=False, retries=0)
        try:
            while not stop.is_set() and not workers.isdisjoint(self._present()):
                with suppress(TimeoutError):
                    files: Mapping[str, bytes] | str = future.result(timeout=_POLL_S)
                    return files
        except distributed.KilledWorker as error:
            return f"the workers died that ran this trial, {error.last_worker.address} last"
        except (asyncio.CancelledError, futures.CancelledError) as error:
            raise self.gone() from error
        finally:
            future.cancel()
        return None


async def _take(job: Job, dask_worker: Any) -> tuple[str, Offer]:
    """In a worker: take a job; the worker goes on answering meanwhile. Returns its name, and what it makes of it."""
    held = await asyncio.to_thread(hold, job, os.environ)
    _HELD[job.ident] = held
    return str(dask_worker.name), held.offer


def _do(ident: str, name: Name) -> Mapping[str, bytes] | str:
    """In a worker: do a trial of a job; what it kept, or why it could keep nothing."""
    from distributed import get_worker  # noqa: PLC0415 - see above

    stop, done, worker = threading.Event(), threading.Event(), get_worker()
    watch = threading.Thread(target=_watch, args=(worker, worker.get_current_task(), stop, done), daemon=True)
    watch.start()
    try:
        return _HELD[ident].run(name, stop)
    except (SkillcheckError, OSError) as error:
        return f"worker {worker.name}: {error}"
    finally:
        done.set()
        watch.join()


def _watch(worker: Any, key: str, stop: threading.Event, done: threading.Event) -> None:
    """End a trial that nobody waits for any more: Dask forgets what it is asked to cancel, and lets it run on."""
    while not done.wait(_POLL_S):
        task = worker.state.tasks.get(key)
        if task is None or task.state == "cancelled":
            stop.set()


def _forget(ident: str) -> None:
    """In a worker: let a job go, and its files."""
    held = _HELD.pop(ident, None)
    if held:
        held.close()


EXECUTOR = Executor("dask", taken)
