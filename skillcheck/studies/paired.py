"""The effect over paired tasks: its size, its p-value, and what the treatment costs."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import stats

from skillcheck.studies import intervals
from skillcheck.studies.intervals import BATCH, RESAMPLES, SEED
from skillcheck.studies.level import DIGITS, least_p

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from skillcheck.studies.intervals import Interval

ENUMERABLE = 14
"""Tasks up to which all sign patterns are counted, 16,384 at most."""


class Effect(NamedTuple):
    """The mean difference (treated minus control, -1 to 1) over `tasks` paired tasks.

    `error`: its standard error; `family_error`: the same with tasks of one family as a cluster, None where every task
    is a family of its own. `t` and `bootstrap`: its intervals. `p`: of the sign flips; `least_p`: the smallest that so
    many informative tasks can have. `wins`, `losses` and `ties` count tasks.
    """

    tasks: int
    delta: float
    error: float | None
    family_error: float | None
    t: Interval | None
    bootstrap: Interval | None
    p: float
    least_p: float
    wins: int
    losses: int
    ties: int

    @property
    def informative(self) -> int:
        """Tasks whose arms differ."""
        return self.wins + self.losses


def effect(differences: Mapping[str, float], families: Mapping[str, str]) -> Effect | None:
    """The effect from the difference of each paired task; None without one. `families` names those of some tasks."""
    if not differences:
        return None
    values = list(differences.values())
    signs = [(value > 0) - (value < 0) for value in (round(value, DIGITS) for value in values)]
    grouped = by_family(((task, (value,)) for task, value in differences.items()), families)
    return Effect(
        tasks=len(values),
        delta=fmean(values),
        error=intervals.clustered_error([value] for value in values),
        family_error=intervals.clustered_error(grouped) if len(grouped) < len(values) else None,
        t=intervals.paired_t(values),
        bootstrap=intervals.bootstrap(values),
        p=sign_flip(values),
        least_p=least_p(len(values) - signs.count(0)),
        wins=signs.count(1),
        losses=signs.count(-1),
        ties=signs.count(0),
    )


def by_family(values: Iterable[tuple[str, Sequence[float]]], families: Mapping[str, str]) -> list[list[float]]:
    """The values of tasks, those of one family together; a task that `families` doesn't name is one of its own."""
    clusters: dict[tuple[bool, str], list[float]] = {}
    for task, numbers in values:
        clusters.setdefault((task in families, families.get(task, task)), []).extend(numbers)
    return list(clusters.values())


def sign_flip(differences: Sequence[float]) -> float:
    """Two-sided p-value of the mean difference, in (0, 1] (Fisher 1935).

    The share of sign patterns whose mean is as far from 0 as the observed one: of all patterns up to ENUMERABLE tasks,
    else (b + 1) / (m + 1) for b among m seeded ones. 1 below two tasks.
    """
    if len(differences) < 2:  # noqa: PLR2004 - both signs of one task are as far from 0
        return 1.0
    found = stats.permutation_test(
        (differences,),
        _distance,
        permutation_type="samples",
        n_resamples=np.inf if len(differences) <= ENUMERABLE else RESAMPLES,
        batch=BATCH,
        alternative="greater",
        random_state=np.random.default_rng(SEED),
    )
    return float(found.pvalue)


def _distance(differences: np.ndarray, axis: int) -> np.ndarray:
    """How far the mean is from 0, equal for sums that differ by rounding only."""
    distance: np.ndarray = np.round(np.abs(differences.mean(axis=axis)), DIGITS)
    return distance


def mcnemar(treated: int, control: int) -> float:
    """Exact two-sided p-value (McNemar 1947) from the tasks that pass in one arm only; 1 without any."""
    return float(stats.binomtest(treated, treated + control).pvalue) if treated + control else 1.0


def gain(treated: float, control: float) -> float | None:
    """The share of what the control left open that the treatment gained (Hake 1998), at most 1; None if nothing was."""
    return (treated - control) / (1 - control) if control < 1 else None


class Ratio(NamedTuple):
    """Treated over control, a geometric mean over `tasks` tasks: 1.2 is a fifth more with the skill."""

    ratio: float
    tasks: int


def ratio(treated: Mapping[str, float], control: Mapping[str, float]) -> Ratio | None:
    """From what each task took in either arm. Tasks count that took something in both; None without one."""
    shares = [amount / control[task] for task, amount in treated.items() if amount > 0 and control.get(task, 0) > 0]
    return Ratio(float(stats.gmean(shares)), len(shares)) if shares else None
