"""What weakens a comparison: tasks and expectations that cannot tell the arms apart, and trials that were lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Flag = Literal["", "saturated", "too hard", "flaky"]
Expectation = tuple[str, str]
"""A task and the text of one expectation of it."""

LOST = 0.1
"""The share of trials that an arm may lose to errors."""


def flag(treated: Sequence[bool], control: Sequence[bool]) -> Flag:
    """What a task's passes say about the task.

    "saturated": all trials of both arms pass; "too hard": all of both fail, or the task is broken; "flaky": the trials
    of one arm differ.
    """
    if any(len({*arm}) > 1 for arm in (treated, control)):
        return "flaky"
    if not treated or not control or treated[0] != control[0]:
        return ""
    return "saturated" if treated[0] else "too hard"


def non_discriminating(
    treated: Mapping[Expectation, Sequence[bool]], control: Mapping[Expectation, Sequence[bool]]
) -> tuple[Expectation, ...]:
    """The expectations with the same verdict in all trials of both arms; only those with a verdict in each."""
    return tuple(
        each
        for each, verdicts in treated.items()
        if verdicts and control.get(each) and len({*verdicts, *control[each]}) == 1
    )


def lost(errors: int, eligible: int) -> float:
    """The share of an arm's trials that ended in an error, 0 to 1; 0 without trials."""
    return errors / (errors + eligible) if errors else 0.0


def unbalanced(treated: float, control: float) -> bool:
    """Whether the shares that the arms lost make the comparison doubtful: one is above LOST.

    So it is, then, where the shares are further apart than that.
    """
    return max(treated, control) > LOST
