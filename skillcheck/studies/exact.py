"""Exact tests of what holds or doesn't hold, trial by trial."""

from __future__ import annotations

from functools import cache, reduce
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import stats

if TYPE_CHECKING:
    from collections.abc import Iterable


class Counts(NamedTuple):
    """The trials of one task: of the `new` ones, `new_held` hold; of the `old` ones, `old_held`."""

    new: int
    new_held: int
    old: int
    old_held: int

    @property
    def least_held(self) -> int:
        """How many of the new trials hold at least, if as many hold in all."""
        return max(0, self.new_held + self.old_held - self.old)


class Chance(NamedTuple):
    """A p-value, in (0, 1], and the smallest that so many trials can have."""

    p: float
    least: float


def fall(tasks: Iterable[Counts]) -> Chance:
    """Whether fewer new trials hold than old ones, one-sided, task by task and summed (Mehta, Patel and Gray 1985).

    If nothing has changed, any trials of a task may be the new ones, so that the number of those that hold is
    hypergeometric; the tasks are independent. That tasks differ in difficulty, or in how often they were run, is no
    matter. `least` goes by how many hold in all.
    """
    tasks = tuple(tasks)
    chances = reduce(np.convolve, (_chances(*task) for task in tasks), np.ones(1))
    above = sum(task.new_held - task.least_held for task in tasks)
    return Chance(min(1.0, float(chances[: above + 1].sum())), float(chances[0]))


@cache
def _chances(new: int, new_held: int, old: int, old_held: int) -> np.ndarray:
    """Of each number of new trials that hold, from the smallest that can be."""
    least, held = Counts(new, new_held, old, old_held).least_held, new_held + old_held
    numbers = np.arange(least, min(new, held) + 1)
    chances: np.ndarray = stats.hypergeom.pmf(numbers, new + old, held, new)
    return chances


def difference(task: Counts) -> Chance:
    """Whether the shares of new and old trials that hold differ, two-sided (Fisher 1935).

    `least` goes by how many trials there are, and is that of all against none.
    """
    return Chance(_fisher(*task), _fisher(task.new, task.new, task.old, 0))


@cache
def _fisher(new: int, new_held: int, old: int, old_held: int) -> float:
    table = [[new_held, new - new_held], [old_held, old - old_held]]
    return float(stats.fisher_exact(table).pvalue)
