"""What stored trials show of each score: one item for each thing that was seen, with the file that holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from skillcheck.errors import SkillcheckError
from skillcheck.evals.grading.explanation import explanation
from skillcheck.evals.plan import checks
from skillcheck.evals.store.store import OUTCOME, TRACE, trace_in
from skillcheck.evals.trace.outcome import NOT_OFFERED, TIMEOUTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from skillcheck.catalog.card import Acceptance
    from skillcheck.catalog.cases import Eval
    from skillcheck.catalog.fault import Fault
    from skillcheck.evals.store.record import Judged, Record
    from skillcheck.evals.trace.trace import Trace
    from skillcheck.studies.fitness import Item


_STOPPED = TIMEOUTS | {"agent-loop"}


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
    def agent(self) -> str:
        """The framework, the model where it is known, and how it got the skill: what makes trials comparable."""
        return f"{self.record.agent} ({self.record.delivery})"

    @property
    def is_graded(self) -> bool:
        """Whether the trial passed or failed."""
        return self.record.status != "error"

    @property
    def is_stopped(self) -> bool:
        """Whether the agent had to be stopped, so that the task counts as not done, whatever was there by then."""
        return self.record.how in _STOPPED

    @property
    def is_done(self) -> bool:
        """Whether the agent ended by itself and the trial passed."""
        return self.record.status == "passed" and not self.is_stopped

    def item(self, value: float, what: str, file: str = OUTCOME, task: str = "") -> Item:
        """One observation of this trial."""
        from skillcheck.studies.fitness import Item  # noqa: PLC0415 - loads scipy

        return Item(task or self.task, float(value), what, f"{self.folder}/{file}")


def read(folder: str, path: Path, record: Record, case: Eval) -> Tried:
    """A stored trial with its trace, which may be lost: what has more faults than when it was kept is no trace."""
    try:
        trace = trace_in(path)
    except SkillcheckError:
        return Tried(folder, record, case, None)
    is_whole = trace.malformed <= record.malformed and (trace.events or not record.calls)
    return Tried(folder, record, case, trace if is_whole else None)


def observed(tried: Sequence[Tried]) -> Mapping[str, tuple[Item, ...]]:
    """The items of each score; trials of different agents are no repetition of each other."""
    graded = [trial for trial in tried if trial.is_graded]
    several = len({trial.agent for trial in graded}) > 1
    return {
        "completeness": tuple(item for trial in graded for item in _completeness(trial)),
        "constraints": tuple(item for trial in graded for item in _constraints(trial)),
        "compatibility": tuple(item for trial in tried for item in _loads(trial)),
        "stability": tuple(_passed(trial)._replace(by=trial.agent if several else "") for trial in graded),
        "explanation": tuple(item for trial in graded for item in _explanation(trial)),
    }


def unloadable(shown: str, fault: Fault) -> Mapping[str, tuple[Item, ...]]:
    """The items of a skill that no agent can load."""
    from skillcheck.studies.fitness import Item  # noqa: PLC0415 - loads scipy

    return {"compatibility": (Item("any", 0.0, fault.problem.message, f"{shown}#L{fault.problem.span.line}"),)}


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
    acceptance = trial.case.card.acceptance
    if trial.is_stopped:
        why = " ".join(filter(None, (f"not done: {trial.record.how}:", trial.record.message)))
        yield from (trial.item(0, f"{why} ({text})") for text in _wanted(trial.case))
    elif acceptance:
        for item in acceptance:
            found = _verdict_on(trial, item)
            if found:
                yield _verdict(trial, *found, item.text)
    else:
        plain = _all(trial, "")
        yield from (_verdict(trial, at, each, each.text) for at, each in plain if not each.process)


def _wanted(case: Eval) -> tuple[str, ...]:
    """What counts as the work of an eval, in words."""
    done = (check for check in case.checks if not (checks.role(check) or checks.is_process(check["type"])))
    return tuple(item.text for item in case.card.acceptance) or (*map(checks.label, done), *case.expectations)


def ungraded(trial: Tried) -> int:
    """How many acceptance items have no verdict."""
    acceptance = trial.case.card.acceptance
    return len(acceptance) - len(list(_completeness(trial))) if trial.is_graded and acceptance else 0


def _constraints(trial: Tried) -> Iterator[Item]:
    yield from (_verdict(trial, at, each, each.text) for at, each in _all(trial, "constraint"))


def _all(trial: Tried, role: str) -> Iterator[tuple[str, Judged]]:
    """The verdicts of a role, each with its place in the outcome."""
    grading = trial.record.grading
    for name, verdicts in (("checks", grading.checks), ("expectations", grading.expectations)):
        yield from ((f"grading.{name}[{index}]", each) for index, each in enumerate(verdicts) if each.role == role)


def _verdict_on(trial: Tried, item: Acceptance) -> tuple[str, Judged] | None:
    """The verdict on an acceptance item; None where the judge gave none, or it was on what stood there before."""
    grading, case = trial.record.grading, trial.case
    if item.shown_by is None:
        return next(((at, each) for at, each in _all(trial, "acceptance") if each.text == item.text), None)
    name, index = item.shown_by
    verdicts = grading.checks if name == "checks" else grading.expectations
    today = [checks.label(check) for check in case.checks] if name == "checks" else case.expectations
    is_there = index < min(len(verdicts), len(today)) and verdicts[index].text == today[index]
    return (f"grading.{name}[{index}]", verdicts[index]) if is_there else None


def _verdict(trial: Tried, at: str, each: Judged, text: str) -> Item:
    return trial.item(
        each.passed, f"{'holds' if each.passed else 'fails'}: {text} ({each.evidence})", f"{OUTCOME}#{at}"
    )


def _passed(trial: Tried) -> Item:
    record = trial.record
    told = f"{record.status}, {record.how}" if trial.is_stopped else record.status
    return trial.item(trial.is_done, told)


def _loads(trial: Tried) -> Iterator[Item]:
    """Whether the agent got the skill; nothing where there was no agent, or nobody can tell."""
    record = trial.record
    if not record.asks_model or not record.seconds:
        return
    if record.how == NOT_OFFERED:
        yield trial.item(0, f"{trial.agent}: {record.message}", task=record.harness)
    elif trial.is_graded and record.delivery != "native":
        yield trial.item(1, f"{trial.agent}: handed over", task=record.harness)
    elif trial.is_graded and record.loaded:
        yield trial.item(1, f"{trial.agent}: read by the agent", f"{OUTCOME}#loaded", task=record.harness)
    elif trial.is_graded and trial.trace and trial.trace.skills is not None:
        yield trial.item(1, f"{trial.agent}: listed by the agent, and not read", TRACE, task=record.harness)


def _explanation(trial: Tried) -> Iterator[Item]:
    """The grade of the last message; a dialogue is its own explanation, unless its card asks for one."""
    from skillcheck.studies.fitness import GRADES  # noqa: PLC0415 - loads scipy

    is_asked = trial.case.kind == "execution" or trial.case.card.judge_explanation
    if trial.trace and trial.record.asks_model and is_asked:
        found = explanation(trial.trace, trial.record.grading.expectations)
        yield trial.item(GRADES[found.grade], f"{found.grade}: {found.reason}", TRACE)
