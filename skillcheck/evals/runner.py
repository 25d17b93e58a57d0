"""Run the trials of a plan side by side: reuse what is stored, stop at the budget, lose nothing that finished."""

from __future__ import annotations

from collections import Counter, deque
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, NamedTuple

from skillcheck.evals.record import Record
from skillcheck.evals.results import Result, Results

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterable, Mapping

    from skillcheck.evals.plan import Plan, Spec

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


class Steps(NamedTuple):
    """What the runner needs done: look a stored result up, run a trial, tell how far it is."""

    stored: Callable[[Spec], Record | None]
    run: Callable[[Spec], Record]
    tell: Callable[[Progress], None]


def run(plan: Plan, steps: Steps, stop: threading.Event) -> Results:
    """All trials of a plan; once `stop` is set no other is begun, and those that run are ended.

    A KeyboardInterrupt sets `stop`; what had finished is kept, and what wasn't begun has the class `interrupted`.
    """
    done = {spec.key: record for spec in plan.specs if (record := steps.stored(spec))}
    waiting = deque(spec for spec in plan.specs if spec.key not in done)
    running: dict[Future[Record], Spec] = {}
    with ThreadPoolExecutor(plan.settings.jobs) as pool:
        while running or (waiting and not _ended(plan, done.values(), stop)):
            try:
                while waiting and len(running) < plan.settings.jobs and not _ended(plan, done.values(), stop):
                    spec = waiting.popleft()
                    running[pool.submit(steps.run, spec)] = spec
                steps.tell(progress(plan, done.values(), len(running)))
                for future in wait(running, _POLL_S, FIRST_COMPLETED).done:
                    done[running.pop(future).key] = future.result()
            except KeyboardInterrupt:
                stop.set()
    steps.tell(progress(plan, done.values()))
    rest = (
        ("interrupted", "the run was interrupted before this trial")
        if stop.is_set()
        else ("budget", _spent(plan, done))
    )
    results = tuple(Result(spec, done.get(spec.key) or unrun(plan, spec, *rest)) for spec in plan.specs)
    return Results(plan, results)


def progress(plan: Plan, done: Iterable[Record], running: int = 0) -> Progress:
    """How far a run is that has some records."""
    records = tuple(done)
    status = Counter(record.status for record in records)
    reused = sum(1 for record in records if record.reused)
    return Progress(
        len(plan.specs), running, status["passed"], status["failed"], status["error"], reused, cost(records)
    )


def cost(records: Iterable[Record]) -> float:
    """What is known to be spent on trials of this run, in US dollars."""
    fresh = [record for record in records if not record.reused]
    return sum((record.cost_usd or 0) + (record.grading.cost_usd or 0) for record in fresh)


def unrun(plan: Plan, spec: Spec, how: str, message: str) -> Record:
    """The record of a trial that ended in an error before its agent began."""
    return Record(
        key=spec.key,
        skill=spec.skill.name,
        eval=str(spec.case.id),
        trial=spec.trial,
        arm=spec.arm,
        harness=plan.harness.name,
        delivery=plan.settings.delivery,
        asks_model=plan.harness.asks_model,
        sandbox=plan.sandbox.kind,
        status="error",
        how=how,
        ended=how,
        message=message,
    )


def _ended(plan: Plan, done: Iterable[Record], stop: threading.Event) -> bool:
    cap = plan.settings.max_cost_usd
    return stop.is_set() or (cap is not None and cost(done) >= cap)


def _spent(plan: Plan, done: Mapping[str, Record]) -> str:
    return f"skipped: ${cost(done.values()):.2f} of ${plan.settings.max_cost_usd or 0:.2f} are spent"
