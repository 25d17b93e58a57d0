"""How many tasks an effect takes to be seen, told before anything is spent. It loads in a fraction of scipy.stats."""

from __future__ import annotations

import math
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import ndtri

from skillcheck.studies.level import ALPHA

if TYPE_CHECKING:
    from collections.abc import Sequence

POWER = 0.8
"""The chance that an effect of the planned size is found."""


class Spread(NamedTuple):
    """Variances of scores. `between`: of the true difference over tasks; the others: of a task's trials, in each arm.

    A trial that passes half the time has a variance of 0.25, the most there is.
    """

    between: float
    treated: float
    control: float

    def of_a_task(self, trials: int) -> float:
        """The variance of one task's difference, with so many trials in each arm."""
        return self.between + (self.treated + self.control) / trials


ASSUMED = Spread(between=0.06, treated=0.12, control=0.12)
"""Where nothing was measured yet: differences of tasks spread by 0.24, their trials by 0.35."""


def spread(treated: Sequence[Sequence[float]], control: Sequence[Sequence[float]]) -> Spread | None:
    """Estimated from the trials of each task in either arm, tasks in the same order; None below two tasks.

    An arm where no task was tried twice shows no variance of trials; it is then part of the one between tasks.
    """
    if len(treated) < 2:  # noqa: PLR2004 - one task has no spread
        return None
    within = [_within(arm) for arm in (treated, control)]
    noise = sum(
        variance * fmean(1 / len(trials) for trials in arm)
        for variance, arm in zip(within, (treated, control), strict=True)
    )
    differences = [fmean(one) - fmean(other) for one, other in zip(treated, control, strict=True)]
    return Spread(max(0.0, float(np.var(differences, ddof=1)) - noise), *within)


def _within(arm: Sequence[Sequence[float]]) -> float:
    """The mean over tasks of the variance of their trials."""
    variances = [float(np.var(trials, ddof=1)) for trials in arm if len(trials) > 1]
    return fmean(variances) if variances else 0.0


def tasks_needed(delta: float, assumed: Spread, trials: int) -> float:
    """Tasks to find an effect of `delta` (not 0) at the level ALPHA, to be rounded up (Miller 2024, section 5).

    `trials` is the number in each arm, 1 or more.
    """
    return _reach() ** 2 * assumed.of_a_task(trials) / delta**2


def least_effect(tasks: int, assumed: Spread, trials: int) -> float:
    """The smallest effect that so many tasks find at the level ALPHA; above 1 there is none."""
    return _reach() * math.sqrt(assumed.of_a_task(trials) / tasks)


def _reach() -> float:
    """Standard errors between no effect and one that is found with POWER."""
    return float(ndtri(1 - ALPHA / 2) + ndtri(POWER))
