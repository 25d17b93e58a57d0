"""A Dask cluster: `dask:ADDRESS` with its scheduler's address. Files are handed to each worker once, then trials.

Workers need skillcheck of the same version, git and the agent; no folder is shared. A worker that lacks something is
left out. A trial whose worker dies is given to another, and one whose result has arrived is never run again.
"""

from __future__ import annotations

import asyncio
import logging
import math
import threading
import time
from collections import Counter
from concurrent import futures
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from skillcheck.errors import SkillcheckError, UsageError
from skillcheck.evals.executor import Executor, Taken
from skillcheck.evals.plan.machine import Machine
from skillcheck.evals.running import worker as there
from skillcheck.evals.running.job import Offer, name_of
from skillcheck.evals.running.runner import unrun
from skillcheck.evals.workspace.sandbox import Sandbox

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from skillcheck.evals.executor import Kind
    from skillcheck.evals.running.attempts import Course
    from skillcheck.evals.running.job import Job
    from skillcheck.evals.running.runner import Planned
    from skillcheck.evals.running.worker import Sent
    from skillcheck.evals.store.record import Record

CONNECT_S = 10.0
"""How long a scheduler may take to answer."""
PATIENCE_S = 20.0
"""How long to wait for a worker where there is none."""
MOST_TRIES = 3
"""On how many workers a trial is tried that they die of, or have no room for."""
_POLL_S = 0.5
_CANCELLED = (asyncio.CancelledError, futures.CancelledError, UnboundLocalError)
"""What Dask's calls raise that were cancelled: where one has no result it reads that all the same."""
_KEPT = "what had finished is kept: the same command goes on"


@contextmanager
def taken(plan: Any, kind: Kind, address: str, stop: threading.Event) -> Iterator[Taken[Any]]:
    """Hand the plan to the workers of a cluster, and let them forget it at the end."""
    with _connected(address, stop) as client:
        cluster = _Cluster(client, address, kind.sent(plan), stop)
        threads = sum(cluster.awaited().values())
        planned = _as_there(plan, cluster.offer, threads)
        cluster.offer = cluster.offer or Offer(tuple(spec.key for spec in plan.specs), "", plan.sandbox.kind, ())
        try:
            yield Taken(planned, cluster.run, warnings=cluster.warnings)
        finally:
            cluster.forget()


@contextmanager
def _connected(address: str, stop: threading.Event) -> Iterator[Any]:
    if not address:
        message = "executor 'dask' needs its scheduler's address, as in dask:tcp://host:8786"
        raise UsageError(message)
    try:
        import distributed  # noqa: PLC0415 - it is an extra, and costs half a second
    except ImportError as error:
        message = "executor 'dask' needs the package distributed: pip install 'skillcheck-evals[dask]'"
        raise UsageError(message) from error
    for name in ("distributed", "distributed.client"):  # they print tracebacks of what is told in a line
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        who = asyncio.run(_who(address, stop))
        client = distributed.Client(address, timeout=CONNECT_S, set_as_default=False) if who == "Scheduler" else None
    except ValueError as error:
        message = f"{address!r} is no address of a Dask scheduler: {error}"
        raise UsageError(message) from error
    except Exception as error:  # whatever it makes of another protocol's words, or of tls:// without certificates
        reason = getattr(error, "strerror", None) or str(error).partition("\n")[0] or "it is silent"
        message = f"no Dask scheduler answers at {address!r}: {reason}"
        raise SkillcheckError(message) from error
    if client is None:
        message = f"{address!r} is the address of a Dask {who.lower()}, not of a scheduler"
        raise UsageError(message)
    with client:
        yield client


async def _who(address: str, stop: threading.Event) -> str:
    """What kind of Dask's processes listens there: the client itself waits forever for what is none.

    Raises ValueError for what is no address, and OSError where nobody answers in time, or before `stop` is set.
    """
    from distributed.comm import resolve_address  # noqa: PLC0415 - see above
    from distributed.core import rpc  # noqa: PLC0415

    resolve_address(address)
    async with rpc(address) as place:
        asked = asyncio.ensure_future(place.identity())
        until = time.monotonic() + CONNECT_S
        while not asked.done() and not stop.is_set() and time.monotonic() < until:
            await asyncio.wait([asked], timeout=_POLL_S)
        if asked.done():
            return str(asked.result()["type"])
        asked.cancel()
        raise TimeoutError


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
    """What is known of the workers, by address; several threads ask, each for one trial.

    `able` are those that can carry the job out, with their names, all with the same `offer`; `unfit` says of each
    other one why not; `busy` counts the trials that a worker does. `change` guards all of it, and `stop` ends it.
    """

    client: Any
    address: str
    job: Job
    stop: threading.Event
    offer: Offer | None = None
    able: dict[str, str] = field(default_factory=dict)
    unfit: dict[str, str] = field(default_factory=dict)
    busy: Counter[str] = field(default_factory=Counter)
    change: threading.Condition = field(default_factory=threading.Condition)
    seen: tuple[float, Mapping[str, int]] = (-_POLL_S, {})
    last_able: float = -PATIENCE_S

    def warnings(self) -> tuple[str, ...]:
        """A line for each worker that isn't used."""
        return tuple(f"{reason}; it is left out" for reason in self.unfit.values())

    def awaited(self) -> Mapping[str, int]:
        """The workers that can carry the job out, with their threads, as soon as there is any worker at all.

        Raises SkillcheckError where none comes, and where the scheduler is gone.
        """
        until = time.monotonic() + PATIENCE_S
        while not self.stop.is_set() and time.monotonic() < until:
            with self.change:
                if self._present():
                    return self._fit()
            time.sleep(_POLL_S)
        message = f"the Dask scheduler at {self.address} has no worker"
        raise SkillcheckError(message)

    def _present(self) -> Mapping[str, int]:
        """All workers; asked for once in a while, however many trials wait."""
        now = time.monotonic()
        if now - self.seen[0] >= _POLL_S:
            self.seen = now, self._told(self.client.nthreads, self.stop) or {}
        return self.seen[1]

    def _told(self, ask: Callable[[], Any], stop: threading.Event, patience_s: float = math.inf) -> Any:
        """What the cluster answers; None after that time, and once `stop` is set: what hangs is not waited for.

        Raises SkillcheckError where the scheduler is gone.
        """
        if self.client.status != "running":
            raise self._gone()
        answer: futures.Future[Any] = futures.Future()
        threading.Thread(target=_answered, args=(ask, answer), daemon=True).start()
        until = time.monotonic() + patience_s
        while not stop.is_set() and time.monotonic() < until:
            if futures.wait((answer,), _POLL_S).done:
                try:
                    return answer.result()
                except (OSError, *_CANCELLED) as error:
                    raise self._gone() from error
        return None

    def forget(self) -> None:
        """Let the workers forget the job, those that answer."""
        with suppress(SkillcheckError):
            forget = partial(self.client.run, there.forget, self.job.ident, on_error="ignore")
            self._told(forget, threading.Event(), CONNECT_S)

    def _gone(self) -> SkillcheckError:
        """What to raise where nobody answers any more."""
        return SkillcheckError(f"the Dask scheduler at {self.address} is gone; {_KEPT}")

    def _fit(self) -> Mapping[str, int]:
        """The workers that can carry the job out, with their threads; new ones are handed it first."""
        present = self._present()
        self.able = {address: who for address, who in self.able.items() if address in present}
        new = [address for address in present if address not in self.able and address not in self.unfit]
        if new:
            self._hand_over(new)
        if self.able:
            self.last_able = time.monotonic()
        return {address: threads for address, threads in present.items() if address in self.able}

    def _hand_over(self, new: list[str]) -> None:
        answers = self._told(partial(self.client.run, there.take, self.job, workers=new, on_error="return"), self.stop)
        for address, answer in sorted((answers or {}).items()):
            if isinstance(answer, OSError) and answer.errno is None:
                continue  # Dask's own: it has died meanwhile
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
                self.able[address] = who

    def run(self, course: Course[Any], spec: Planned) -> Record:
        """Let some worker do a trial, and keep what it sends.

        Raises SkillcheckError where the scheduler is gone, or no worker is left.
        """
        refused: dict[str, Sent] = {}
        died: list[str] = []
        while len(died) + len(refused) < MOST_TRIES:
            address = self._free(refused)
            if not address:
                break
            sent = self._sent(address, spec)
            if sent is None:
                died.append(address)
            elif sent.fault:
                refused[address] = sent
            else:
                self._leave_out(refused)
                return _kept(course, spec, sent)
        if self.stop.is_set():
            return unrun(course.plan, spec, "interrupted", "the run was interrupted while a worker did this trial")
        if refused:
            return _kept(course, spec, refused.popitem()[1])
        if len(died) == MOST_TRIES:
            return unrun(course.plan, spec, "workspace", f"the workers died that ran this trial, {died[-1]} last")
        return unrun(
            course.plan, spec, "harness-config", "; ".join(self.unfit.values()) or "no worker takes the run over"
        )

    def _free(self, refused: Collection[str]) -> str:
        """A worker that has a thread free, of those that have not refused, which is then taken.

        Empty where nobody else is there, and once `stop` is set. Raises SkillcheckError where no worker is left.
        """
        with self.change:
            while not self.stop.is_set():
                fit = self._fit()
                free = [each for each in fit if each not in refused and self.busy[each] < fit[each]]
                if free:
                    address = min(free, key=lambda each: self.busy[each] / fit[each])
                    self.busy[address] += 1
                    return address
                if fit and all(each in refused for each in fit):
                    break
                if time.monotonic() - self.last_able >= PATIENCE_S:
                    if self._present():
                        break
                    message = f"the Dask scheduler at {self.address} has no worker left; {_KEPT}"
                    raise SkillcheckError(message)
                self.change.wait(_POLL_S)
        return ""

    def _sent(self, address: str, spec: Planned) -> Sent | None:
        """What a worker sends of a trial; None where it is gone, and once `stop` is set."""
        import distributed  # noqa: PLC0415 - see above

        sent = None
        future = self.client.submit(there.do, self.job.ident, name_of(spec), workers=[address], pure=False, retries=0)
        try:
            with suppress(distributed.KilledWorker):  # another has started at its address, and has died too
                while sent is None and not self.stop.is_set() and self._is_there(address):
                    sent = self._result(future)
        finally:
            future.cancel()
            with self.change:
                self.busy[address] -= 1
                self.change.notify_all()
        with self.change:
            if sent is not None and sent.holds:
                return sent._replace(fault=sent.fault and f"{self.able.get(address, address)}: {sent.fault}")
            self.able.pop(address, None)  # whoever is there now is handed the job first
        return None

    def _result(self, future: Any) -> Sent | None:
        """What has been sent by now."""
        try:
            sent: Sent = future.result(timeout=_POLL_S)
        except TimeoutError:
            return None
        except _CANCELLED as error:
            if future.cancelled():
                raise self._gone() from error
            time.sleep(_POLL_S)  # its worker died just now
            return None
        return sent

    def _is_there(self, address: str) -> bool:
        with self.change:
            return address in self._present()

    def _leave_out(self, refused: Mapping[str, Sent]) -> None:
        """Use the workers no more that had no room for what another had room for."""
        with self.change:
            for address, sent in refused.items():
                self.unfit[address] = sent.fault
                self.able.pop(address, None)


def _answered(ask: Callable[[], Any], answer: futures.Future[Any]) -> None:
    try:
        answer.set_result(ask())
    except BaseException as error:  # noqa: BLE001 - whoever waits for the answer gets it
        answer.set_exception(error)


def _kept(course: Course[Any], spec: Planned, sent: Sent) -> Record:
    """What a worker sent of a trial, in the store."""
    if not sent.files:
        return unrun(course.plan, spec, "workspace", sent.fault)
    try:
        return course.store.take(course.run, sent.files)
    except SkillcheckError as error:
        return unrun(course.plan, spec, "workspace", str(error))


EXECUTOR = Executor("dask", taken)
