"""Run trials side by side: reuse what is stored, stop at the budget, lose nothing that finished."""

from __future__ import annotations

from collections import Counter, deque
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

from skillcheck.evals.store.record import Record

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from skillcheck.evals.plan.crew import Crew
    from skillcheck.evals.plan.settings import Settings

_POLL_S = 0.2
"""How often the progress is told while nothing ends."""


class Progress(NamedTuple):
    """How far a run is. `cost_usd` is what is known to be spent, the graders' share included."""

    total: int
    running: int = 0
    passed: int = 0
    failed: int = 0
    errors: int = 0
    reused: int = 0
    cost_usd: float = 0.0

    @property
    def done(self) -> int:
        """How many trials have a result."""
        return self.passed + self.failed + self.errors

    def plus(self, other: Progress) -> Progress:
        """Both together."""
        return Progress(*(one + two for one, two in zip(self, other, strict=True)))  # type: ignore[arg-type]


class Planned(Protocol):
    """One trial to run: its key, its number from 1 in its arm, and the names of its skill and its eval."""

    @property
    def key(self) -> str:
        """Under which its result is stored."""

    @property
    def trial(self) -> int:
        """Its number."""

    @property
    def arm(self) -> str:
        """Its arm's name."""

    @property
    def names(self) -> tuple[str, str]:
        """The skill's, and the eval's."""


S = TypeVar("S", bound=Planned)


class Steps(NamedTuple, Generic[S]):
    """What the runner needs done: look a stored result up, run a trial, tell how far it is."""

    stored: Callable[[S], Record | None]
    run: Callable[[S], Record]
    tell: Callable[[Progress], None]


def run(crew: Crew, specs: Sequence[S], steps: Steps[S], stop: threading.Event) -> tuple[Record, ...]:
    """What became of all trials, in their order; once `stop` is set no other is begun, and those that run are ended.

    A KeyboardInterrupt sets `stop`; what had finished is kept, and what wasn't begun has the class `interrupted`.
    """
    settings, total = crew.settings, len(specs)
    done = {spec.key: record for spec in specs if (record := steps.stored(spec))}
    waiting = deque(spec for spec in specs if spec.key not in done)
    running: dict[Future[Record], S] = {}
    with ThreadPoolExecutor(settings.jobs) as pool:
        while running or (waiting and not _ended(settings, done.values(), stop)):
            try:
                while waiting and len(running) < settings.jobs and not _ended(settings, done.values(), stop):
                    spec = waiting.popleft()
                    running[pool.submit(steps.run, spec)] = spec
                steps.tell(progress(total, done.values(), len(running)))
                for future in wait(running, _POLL_S, FIRST_COMPLETED).done:
                    done[running.pop(future).key] = future.result()
            except KeyboardInterrupt:
                stop.set()
    steps.tell(progress(total, done.values()))
    rest = (
        ("interrupted", "the run was interrupted before this trial")
        if stop.is_set()
        else ("budget", _spent(settings, done))
    )
    return tuple(done.get(spec.key) or unrun(crew, spec, *rest) for spec in specs)


def progress(total: int, done: Iterable[Record], running: int = 0) -> Progress:
    """How far a run is that has some records."""
    records = tuple(done)
    status = Counter(record.status for record in records)
    reused = sum(1 for record in records if record.reused)
    return Progress(total, running, status["passed"], status["failed"], status["error"], reused, cost(records))


def cost(records: Iterable[Record]) -> float:
    """What is known to be spent on trials of this run, in US dollars."""
    fresh = [record for record in records if not record.reused]
    return sum((record.cost_usd or 0) + (record.grading.cost_usd or 0) for record in fresh)


def unrun(crew: Crew, spec: Planned, how: str, message: str) -> Record:
    """The record of a trial that ended in an error before its agent began."""
    skill, case = spec.names
    return Record(
        key=spec.key,
        skill=skill,
        eval=case,
        trial=spec.trial,
        arm=spec.arm,
        harness=crew.harness.name,
        delivery=crew.settings.delivery,
        asks_model=crew.harness.asks_model,
        sandbox=crew.sandbox.kind,
        status="error",
        how=how,
        ended=how,
        message=message,
    )


def _ended(settings: Settings, done: Iterable[Record], stop: threading.Event) -> bool:
    cap = settings.max_cost_usd
    return stop.is_set() or (cap is not None and cost(done) >= cap)


def _spent(settings: Settings, done: Mapping[str, Record]) -> str:
    return f"skipped: ${cost(done.values()):.2f} of ${settings.max_cost_usd or 0:.2f} are spent"
