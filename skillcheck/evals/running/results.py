"""What a run came to, trial by trial."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from skillcheck.evals.trace.outcome import CLASSES, Then
from skillcheck.evals.workspace.arm import TREATED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.cases import CaseFile, Eval
    from skillcheck.evals.plan.plan import Plan, Spec
    from skillcheck.evals.store.record import Record


class Result(NamedTuple):
    """A trial that was planned, and what became of it."""

    spec: Spec
    record: Record


class OfEval(NamedTuple):
    """All trials of one eval."""

    file: CaseFile
    case: Eval
    records: tuple[Record, ...]

    @property
    def unfinished(self) -> tuple[Record, ...]:
        """The trials that ended without verdicts: errors, and timeouts, which may count as failed."""
        return tuple(record for record in self.records if CLASSES[record.how].then is not Then.GRADE)

    @property
    def graded(self) -> tuple[Record, ...]:
        """The trials with a verdict."""
        return tuple(record for record in self.records if record.status != "error")


@dataclass(frozen=True, slots=True)
class Results:
    """The results in the plan's order.

    `run` is the folder's name in the store, `warnings` what the user should know beside.
    """

    plan: Plan
    results: tuple[Result, ...]
    run: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def records(self) -> tuple[Record, ...]:
        """The trials alone."""
        return tuple(result.record for result in self.results)

    def evals(self, arm: str = TREATED) -> Iterator[OfEval]:
        """The results by eval, in the arm that evals are judged by or in another: a failed control is no fault."""
        chosen = (result for result in self.results if result.spec.arm == arm)
        for _, group in groupby(chosen, key=lambda r: (r.spec.file.shown, r.spec.case.at)):
            first, *rest = group
            yield OfEval(first.spec.file, first.spec.case, (first.record, *(r.record for r in rest)))
