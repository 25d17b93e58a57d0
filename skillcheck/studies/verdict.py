"""The sentence that a study ends in, by a fixed rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from skillcheck.studies.level import ALPHA, NEEDED, least_p

if TYPE_CHECKING:
    from skillcheck.studies.paired import Effect

MARGIN = 0.05
"""Effects up to this size, either way, are of no account."""

Word = Literal["insufficient", "helps", "hurts", "no material effect", "inconclusive"]


class Verdict(NamedTuple):
    """`word` is the finding and `reason` a phrase with the numbers behind it.

    `suggestive`: an interval excludes 0, but the test does not establish the effect.
    """

    word: Word
    reason: str
    suggestive: bool = False


def verdict(effect: Effect | None, p: float, margin: float) -> Verdict:
    """The finding on an effect; `p` is its p-value, adjusted where several skills were tested."""
    if effect is None or effect.informative < NEEDED:
        return Verdict("insufficient", _missing(effect.informative if effect else 0), _suggestive(effect))
    if p <= ALPHA:
        return Verdict("helps" if effect.delta > 0 else "hurts", f"p = {p:.4f}, at most {ALPHA}")
    if effect.t and effect.t.within(margin):
        return Verdict("no material effect", f"the interval of the effect is within {margin} of 0")
    return Verdict("inconclusive", f"p = {p:.4f}, above {ALPHA}", _suggestive(effect))


def _missing(informative: int) -> str:
    more = NEEDED - informative
    return (
        f"the arms differ on {informative} task{'' if informative == 1 else 's'}, "
        f"so p is {least_p(informative):g} at least; {more} more {'is' if more == 1 else 'are'} needed to reach {ALPHA}"
    )


def _suggestive(effect: Effect | None) -> bool:
    intervals = (effect.t, effect.bootstrap) if effect else ()
    return any(interval and interval.excludes_zero for interval in intervals)
