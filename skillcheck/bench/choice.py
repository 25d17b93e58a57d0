"""Which tasks of a benchmark are run, and how, beside what `evals.settings` says of agents."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, NamedTuple

from skillcheck.bench.container import Caps
from skillcheck.evals.store.record import Judged

if TYPE_CHECKING:
    from skillcheck.bench.package import Layout
    from skillcheck.evals.store.record import Record

Environment = Literal["local", "docker", "podman"]


class Choice(NamedTuple):
    """What was asked for.

    `ids` are tasks, all if empty, `layout` the only one that is wanted. The multipliers are of the tasks' own times.
    `averaged`: over a task's trials, not the best of them, where only one number is told. `threshold` is the reward
    that passes; 0 is any above it. `validate`: the oracle must get 1 and nothing done 0. `image_template` names images,
    with {task} for the id.
    """

    ids: tuple[str, ...] = ()
    layout: Layout | None = None
    execute_multiplier: float = 1
    verifier_multiplier: float = 1
    averaged: bool = False
    threshold: float = 1
    validate: bool = False
    environment: Environment = "local"
    image_template: str = ""
    caps: Caps = Caps()

    @property
    def passing(self) -> float:
        """The least reward that passes."""
        return self.threshold or math.ulp(0.0)


def scored(record: Record, choice: Choice) -> Record:
    """The record with what its reward comes to; one without a reward stays as it is."""
    if record.verified is None or record.verified.reward is None:
        return record
    reward = record.verified.reward
    verdict = Judged("verifier", reward >= choice.passing, f"reward {reward:g}")
    return record._replace(
        grading=record.grading._replace(checks=(verdict,)), status="passed" if verdict.passed else "failed"
    )
