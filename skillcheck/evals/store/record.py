"""What is kept of a trial, and what it says: passed, failed or error."""

from __future__ import annotations

from typing import Literal, NamedTuple

from skillcheck.catalog.card import Role  # noqa: TC001 - the types are read when stored records are
from skillcheck.evals.trace.trace import Usage  # noqa: TC001 - see above

Status = Literal["passed", "failed", "error"]


class Judged(NamedTuple):
    """One expectation or check with its verdict; `evidence` is never empty.

    `process`: it tests how the work was done and not what came of it, so that it says nothing of what a skill adds.
    `role`: what it counts as beside.
    """

    text: str
    passed: bool
    evidence: str
    process: bool = False
    role: Role = ""


class Grading(NamedTuple):
    """All verdicts on a trial. `problem` says why there is no verdict on some, or is empty; `raw` is what judges said.

    `usage` and `cost_usd` are the judge's, None where unknown or where none was asked.
    """

    expectations: tuple[Judged, ...] = ()
    checks: tuple[Judged, ...] = ()
    problem: str = ""
    raw: tuple[str, ...] = ()
    judge: str = ""
    model: str = ""
    usage: Usage | None = None
    cost_usd: float | None = None
    seconds: float = 0.0

    @property
    def decisive(self) -> tuple[Judged, ...]:
        """The verdicts that the trial passes or fails by: all but those on the agent's explanation."""
        return tuple(each for each in (*self.checks, *self.expectations) if each.role != "explanation")

    @property
    def failed(self) -> tuple[Judged, ...]:
        """What did not hold and should."""
        return tuple(each for each in self.decisive if not each.passed)

    @property
    def pass_rate(self) -> float | None:
        """The share of verdicts that hold, 0 to 1; None where there is none."""
        total = len(self.decisive)
        return (total - len(self.failed)) / total if total and not self.problem else None


class Verified(NamedTuple):
    """What the verifier of a task said: its `reward`, 0 to 1, None where there is none, and how it ended.

    `status` is its exit status, negative for a signal; of its output the end is kept.
    """

    reward: float | None
    status: int
    stdout: str = ""
    stderr: str = ""


class Record(NamedTuple):
    """One trial. `how` is the class of `outcome.CLASSES` that it ended in, `message` what led to it.

    `arm` is that of the experiment, `with` in a plain run. `ended` is the class of the agent's end, which differs where
    the grader gave no answer.

    `usage` and `cost_usd` are the agent's, None where unknown; `seconds` and `usage` are those of its last attempt, of
    `attempts` in all, `cost_usd` what all of them are known to have cost. `left` counts the processes that had to be
    killed after it. `loaded` tells whether the agent read the skill by itself, None where its output is plain text,
    which doesn't show it. `reused` names the run that this result was taken from, or is empty. `verified` is None but
    for tasks of a benchmark that came that far; of those, `skill` is the set's name.
    """

    key: str
    skill: str
    eval: str
    trial: int
    harness: str
    delivery: str
    asks_model: bool
    sandbox: str
    status: Status
    how: str
    ended: str
    message: str = ""
    attempts: int = 1
    grading: Grading = Grading()
    model: str = ""
    version: str = ""
    usage: Usage | None = None
    cost_usd: float | None = None
    seconds: float = 0.0
    calls: int = 0
    loaded: bool | None = None
    malformed: int = 0
    truncated: bool = False
    left: int = 0
    started: str = ""
    reused: str = ""
    arm: str = "with"
    verified: Verified | None = None
    notes: tuple[str, ...] = ()

    @property
    def agent(self) -> str:
        """The agent and its model, as people read them."""
        return f"{self.harness} {self.model}".strip()
