"""The frozen floor: rank-1 rates that a catalog has reached and may not fall below again.

Rates are in percent, rounded down to two decimals, so that a catalog never fails the floor that it just set.
"""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from skillcheck.errors import UsageError
from skillcheck.router.quality import Quality

SCHEMA_VERSION = 1
HIGHEST = 100


class Floor(NamedTuple):
    """Least rank-1 rate in percent (0..100) of the whole catalog and of each skill."""

    catalog: float
    skills: Mapping[str, float]


class Shortfall(NamedTuple):
    """A `rate` below its `floor`, both in percent.

    `skill` is None for the catalog; `rate` is None if no prompt can be scored.
    """

    skill: str | None
    floor: float
    rate: float | None


class Lowering(NamedTuple):
    """An entry that a change took from `old` to `new` percent, or removed (None).

    `skill` is None for the catalog.
    """

    skill: str | None
    old: float
    new: float | None


def parse(data: Any) -> Floor:
    """The floor that `dump` wrote. Raises UsageError, which says what is wrong with the value."""
    if not isinstance(data, Mapping) or data.get("schema_version") != SCHEMA_VERSION:
        message = f"not a ratchet file: expected an object with schema_version {SCHEMA_VERSION}"
        raise UsageError(message)
    skills = data.get("skills", {})
    if not isinstance(skills, Mapping):
        message = f"skills in a ratchet file is {skills!r}: expected an object of name and percent"
        raise UsageError(message)
    return Floor(
        _percent("catalog", data.get("catalog")), {str(name): _percent(name, rate) for name, rate in skills.items()}
    )


def _percent(name: object, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= HIGHEST:
        message = f"{name} in a ratchet file is {value!r}: expected a number from 0 to {HIGHEST}"
        raise UsageError(message)
    return float(value)


def dump(floor: Floor) -> dict[str, Any]:
    """The floor as JSON data, skills in name order."""
    return {"schema_version": SCHEMA_VERSION, "catalog": floor.catalog, "skills": dict(sorted(floor.skills.items()))}


def below(floor: Floor, quality: Quality) -> tuple[Shortfall, ...]:
    """Where the catalog, then each skill by name, falls short. A skill that has no positives any more is not asked."""
    asked: list[tuple[str | None, float, float | None]] = [(None, floor.catalog, quality.rank1.percent)]
    asked += [(name, floor.skills[name], rate.percent) for name, rate in quality.skills.items() if name in floor.skills]
    return tuple(Shortfall(*each) for each in asked if _under(each[2], each[1]))


def _under(rate: float | None, floor: float) -> bool:
    return floor > 0 and (rate is None or rate < floor - 1e-9)


def raised(floor: Floor | None, quality: Quality) -> Floor:
    """The floor lifted to the rates reached, never lowered; new skills are added, those without positives dropped."""
    old = floor or Floor(0.0, {})
    skills = {name: max(old.skills.get(name, 0.0), _down(rate.percent)) for name, rate in quality.skills.items()}
    return Floor(max(old.catalog, _down(quality.rank1.percent)), skills)


def _down(rate: float | None) -> float:
    return math.floor((rate or 0.0) * 100 + 1e-9) / 100


def lowered(old: Floor, new: Floor) -> tuple[Lowering, ...]:
    """Entries that `new` lowers or lacks: the catalog's, then skills in name order."""
    pairs = [
        (None, old.catalog, new.catalog),
        *((name, rate, new.skills.get(name)) for name, rate in sorted(old.skills.items())),
    ]
    return tuple(Lowering(*pair) for pair in pairs if pair[2] is None or pair[2] < pair[1])
