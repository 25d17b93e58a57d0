"""What numbers are held against: the level of significance with what follows from it, and the precision."""

import math

ALPHA = 0.05
"""The level of every test, two-sided; intervals cover the rest, 95 %."""
ALARM = 0.01
"""The level of all that is tested together before a run raises an alarm: one false alarm in 100 runs at most."""
NEEDED = math.ceil(1 - math.log2(ALPHA))
"""Informative tasks, those whose arms differ, without which no p-value reaches ALPHA: six."""
DIGITS = 12
"""Decimals that numbers are compared by; what is further behind comes from rounding of binary fractions."""


def least_p(informative: int) -> float:
    """The smallest two-sided p-value that so many tasks can have: when all differ the same way."""
    return min(1.0, 2.0 ** (1 - informative))
