"""p-values of several skills that are tested in one run, adjusted for their number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

if TYPE_CHECKING:
    from collections.abc import Sequence

    from skillcheck.studies.exact import Chance


def holm(values: Sequence[float]) -> list[float]:
    """Adjusted so that ALPHA bounds the chance of any false finding (Holm 1979); in the given order."""
    order = np.argsort(values)
    rising = np.maximum.accumulate(np.asarray(values)[order] * np.arange(len(values), 0, -1))
    adjusted = np.empty(len(values))
    adjusted[order] = np.minimum(rising, 1)
    return [float(value) for value in adjusted]


def benjamini_hochberg(values: Sequence[float]) -> list[float]:
    """Adjusted so that ALPHA bounds the share of false findings (Benjamini and Hochberg 1995); in the given order."""
    return [float(value) for value in stats.false_discovery_control(values)] if values else []


def found(tests: Sequence[Chance], alpha: float) -> dict[int, float]:
    """Which of several tests find something at the level `alpha`, by position, with p-values adjusted by `holm`.

    One whose trials are too few to reach it, whatever they had come to, tests nothing and doesn't count (Tarone 1990).
    """
    able = [index for index, test in enumerate(tests) if test.least <= alpha]
    adjusted = holm([tests[index].p for index in able])
    return {index: p for index, p in zip(able, adjusted, strict=True) if p <= alpha}
