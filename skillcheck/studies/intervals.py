"""Standard errors and 95 % intervals; each is None where the numbers allow none."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import stats

from skillcheck.studies.level import ALPHA

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

RESAMPLES = 10_000
"""Draws of the bootstrap and of the sampled sign flips."""
BATCH = 1_000
"""Draws held in memory at a time: with 1,000 tasks 8 MB for each array."""
SEED = 0


class Interval(NamedTuple):
    """From `low` to `high`, both included."""

    low: float
    high: float

    @property
    def excludes_zero(self) -> bool:
        """Whether all of it is on one side of 0."""
        return self.low > 0 or self.high < 0

    def within(self, margin: float) -> bool:
        """Whether all of it is nearer to 0 than `margin`, or as near."""
        return -margin <= self.low and self.high <= margin


@cache
def wilson(passes: float, trials: int) -> Interval | None:
    """Of a pass rate, 0 to 1 (Wilson 1927); None without trials. Parts of passes are allowed, as for mean scores.

    Only for trials that are independent: those of a single task, or one of each task.
    """
    if not trials:
        return None
    rate, z = passes / trials, float(stats.norm.ppf(1 - ALPHA / 2))
    scale, center = 1 + z**2 / trials, rate + z**2 / (2 * trials)
    half = z * math.sqrt(rate * (1 - rate) / trials + z**2 / (4 * trials**2))
    return Interval(max(0.0, (center - half) / scale), min(1.0, (center + half) / scale))


def paired_t(differences: Sequence[float]) -> Interval | None:
    """Of the mean difference of tasks, by Student's t with tasks - 1 degrees of freedom; None below two tasks.

    It may reach beyond -1 or 1. It has no width when all differences are the same.
    """
    if len(differences) < 2:  # noqa: PLR2004 - one value has no spread
        return None
    half = stats.t.ppf(1 - ALPHA / 2, len(differences) - 1) * stats.sem(differences)
    center = np.mean(differences)
    return Interval(float(center - half), float(center + half))


def bootstrap(differences: Sequence[float]) -> Interval | None:
    """Of the mean difference, by percentiles of means of tasks drawn with replacement (Efron 1979), seeded.

    None below two tasks.
    """
    if len(differences) < 2:  # noqa: PLR2004 - nothing else could be drawn
        return None
    found = stats.bootstrap(
        (differences,),
        np.mean,
        confidence_level=1 - ALPHA,
        n_resamples=RESAMPLES,
        batch=BATCH,
        method="percentile",
        random_state=np.random.default_rng(SEED),
    ).confidence_interval
    return Interval(float(found.low), float(found.high))


def clustered_error(clusters: Iterable[Sequence[float]]) -> float | None:
    """Standard error of the mean of all scores, those of a cluster depending on each other; None below two clusters.

    Miller 2024, appendix A, with the variance times C / (C - 1) for C clusters, as Inspect has it. For clusters of the
    same size it is the standard error of the cluster means.
    """
    filled = [cluster for cluster in clusters if cluster]
    if len(filled) < 2:  # noqa: PLR2004 - one cluster has no spread
        return None
    sizes = np.array([len(cluster) for cluster in filled])
    sums = np.array([math.fsum(cluster) for cluster in filled])
    residuals = sums - sizes * (sums.sum() / sizes.sum())
    scale = len(filled) / (len(filled) - 1)
    return float(np.sqrt(scale * (residuals**2).sum()) / sizes.sum())


def newcombe(both: int, treated: int, control: int, neither: int) -> Interval | None:
    """Of the difference of two paired pass rates (Newcombe 1998, method 10); None without tasks.

    The counts are tasks that pass in both arms, in the treated arm only, in the control only, and in neither.
    """
    tasks = both + treated + control + neither
    first, second = wilson(both + treated, tasks), wilson(both + control, tasks)
    if first is None or second is None:
        return None
    phi = _correlation(both, treated, control, neither)
    rate, other = (both + treated) / tasks, (both + control) / tasks
    down = _joined(rate - first.low, second.high - other, phi)
    up = _joined(first.high - rate, other - second.low, phi)
    return Interval(rate - other - down, rate - other + up)


def _correlation(both: int, treated: int, control: int, neither: int) -> float:
    """Newcombe's phi: a positive one is corrected for continuity; 0 where an arm has one outcome only."""
    margins = (both + treated) * (control + neither) * (both + control) * (treated + neither)
    excess: float = both * neither - treated * control
    if excess > 0:
        excess = max(excess - (both + treated + control + neither) / 2, 0)
    return excess / math.sqrt(margins) if margins else 0.0


def _joined(one: float, other: float, phi: float) -> float:
    """The distance from the difference, made of those from each rate."""
    return math.sqrt(max(one**2 - 2 * phi * one * other + other**2, 0.0))
