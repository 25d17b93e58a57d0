"""What stored trials show of each score: one item for each thing that was seen, with the file that holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from skillcheck.errors import SkillcheckError
from skillcheck.evals.explanation import explanation
from skillcheck.evals.store import OUTCOME, TRACE, kept_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from skillcheck.catalog.cases import Eval
    from skillcheck.catalog.fault import Fault
    from skillcheck.evals.record import Judged, Record
    from skillcheck.evals.trace import Trace
    from skillcheck.studies.fitness import Item


class Tried(NamedTuple):
    """A trial with the eval that it was of; `folder` is where it is kept, as users read it."""

    folder: str
    record: Record
    case: Eval
    trace: Trace | None

    @property
    def task(self) -> str:
        """What scores know the eval as."""
        return f"eval {self.case.id}"

    @property
    def is_graded(self) -> bool:
        """Whether the trial passed or failed."""
        return self.record.status != "error"

    def item(self, value: float, what: str, file: str = OUTCOME, task: str = "") -> Item:
        """One observation of this trial."""
        from skillcheck.studies.fitness import Item  # noqa: PLC0415 - loads scipy

        return Item(task or self.task, float(value), what, f"{self.folder}/{file}")


def read(folder: str, path: Path, record: Record, case: Eval) -> Tried:
    """A stored trial with its trace, which may be lost."""
    try:
        trace = kept_in(path).trace
    except SkillcheckError:
        trace = None
    return Tried(folder, record, case, trace)


def observed(tried: Sequence[Tried]) -> Mapping[str, tuple[Item, ...]]:
    """The items of each score."""
    graded = [trial for trial in tried if trial.is_graded]
    return {
        "completeness": tuple(item for trial in graded for item in _completeness(trial)),
        "constraints": tuple(item for trial in graded for item in _constraints(trial)),
        "compatibility": tuple(item for trial in tried for item in _loads(trial)),
        "stability": tuple(map(_passed, graded)),
        "explanation": tuple(item for trial in graded for item in _explanation(trial)),
    }


def unloadable(shown: str, fault: Fault) -> Mapping[str, tuple[Item, ...]]:
    """The items of a skill that no agent can load."""
    from skillcheck.studies.fitness import Item  # noqa: PLC0415 - loads scipy

    return {"compatibility": (Item("any agent", 0.0, fault.problem.message, f"{shown}:{fault.problem.span.line}"),)}


def edge(tried: Sequence[Tried]) -> tuple[Item, ...]:
    """The trials of edge cases, passed or failed."""
    return tuple(_passed(trial) for trial in tried if trial.is_graded and trial.case.card.category == "edge")


def followed(tried: Sequence[Tried]) -> tuple[Item, ...]:
    """The trials in which the agent had the choice to read the skill, and whether it did, as far as that is known."""
    return tuple(
        trial.item(trial.record.loaded, "the skill was read" if trial.record.loaded else "the skill was not read")
        for trial in tried
        if trial.is_graded and trial.record.asks_model and trial.record.delivery == "native"
        if trial.record.loaded is not None
    )


def _completeness(trial: Tried) -> Iterator[Item]:
    """The acceptance items where there are any, else all that came of the work and is no constraint."""
    grading, acceptance = trial.record.grading, trial.case.card.acceptance
    if not grading.decisive:  # a timeout that counts as failed
        count = len(acceptance) or len(trial.case.checks) + len(trial.case.expectations)
        yield from (trial.item(0, trial.record.how) for _ in range(count))
        return
    judged = iter(_all(trial, "acceptance"))
    for item in acceptance:
        shown = item.shown_by
        found = _at(trial, *shown) if shown else next(judged, None)
        if found:
            yield _verdict(trial, *found, item.text)
    if not acceptance:
        plain = _all(trial, "")
        yield from (_verdict(trial, at, each, each.text) for at, each in plain if not each.process)


def ungraded(trial: Tried) -> int:
    """How many acceptance items have no verdict."""
    acceptance = trial.case.card.acceptance
    return len(acceptance) - len(list(_completeness(trial))) if trial.is_graded and acceptance else 0


def _constraints(trial: Tried) -> Iterator[Item]:
    yield from (_verdict(trial, at, each, each.text) for at, each in _all(trial, "constraint"))


def _all(trial: Tried, role: str) -> list[tuple[str, Judged]]:
    """The verdicts of a role, each with its place in the outcome."""
    grading = trial.record.grading
    lists = (("checks", grading.checks), ("expectations", grading.expectations))
    return [
        (f"grading.{name}[{index}]", each)
        for name, verdicts in lists
        for index, each in enumerate(verdicts)
        if each.role == role
    ]


def _at(trial: Tried, name: str, index: int) -> tuple[str, Judged] | None:
    """The verdict that an acceptance item names; None where the judge gave none."""
    grading = trial.record.grading
    verdicts = grading.checks if name == "checks" else grading.expectations
    return (f"grading.{name}[{index}]", verdicts[index]) if index < len(verdicts) else None


def _verdict(trial: Tried, at: str, each: Judged, text: str) -> Item:
    return trial.item(
        each.passed, f"{'holds' if each.passed else 'fails'}: {text} ({each.evidence})", f"{OUTCOME}#{at}"
    )


def _passed(trial: Tried) -> Item:
    record = trial.record
    return trial.item(record.status == "passed", f"trial {record.trial} {record.status}")


def _loads(trial: Tried) -> Iterator[Item]:
    """Whether the agent got the skill; nothing where there was no agent, or nobody can tell."""
    record = trial.record
    if not record.asks_model or not record.seconds:
        return
    name = f"{record.harness} {record.model}".strip()
    if record.how == "harness-config":
        yield trial.item(0, f"{name}: {record.message}", task=name)
    elif trial.is_graded and record.delivery != "native":
        yield trial.item(1, f"{name}: handed over as {record.delivery}", task=name)
    elif trial.is_graded and record.loaded:
        yield trial.item(1, f"{name}: read by the agent", TRACE, task=name)
    elif trial.is_graded and trial.trace and trial.trace.skills is not None:
        yield trial.item(1, f"{name}: listed by the agent, and not read", TRACE, task=name)


def _explanation(trial: Tried) -> Iterator[Item]:
    """The grade of the last message; a dialogue is its own explanation."""
    from skillcheck.studies.fitness import GRADES  # noqa: PLC0415 - loads scipy

    if trial.trace and trial.record.asks_model and trial.case.kind == "execution":
        found = explanation(trial.trace, trial.record.grading.expectations)
        yield trial.item(GRADES[found.grade], f"{found.grade}: {found.reason}", TRACE)
