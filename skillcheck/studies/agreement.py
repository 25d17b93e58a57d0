"""How far two judges agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sklearn.metrics import cohen_kappa_score

if TYPE_CHECKING:
    from collections.abc import Sequence


def kappa(one: Sequence[bool], other: Sequence[bool]) -> float | None:
    """Agreement beyond chance on the same questions, at most 1, 0 for chance (Cohen 1960).

    None where chance alone explains it: all verdicts of both are the same, or there are none.
    """
    return float(cohen_kappa_score(one, other)) if len({*one, *other}) > 1 else None
