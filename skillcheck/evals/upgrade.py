"""What older versions stored, as today's version reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skillcheck.evals.arm import TREATED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Data = Mapping[str, Any]

SCHEMA_VERSION = 2
"""Raised when what is stored in any file of a run changes."""


def _with_arm(outcome: Data) -> Data:
    """There was one arm only when outcomes didn't name it."""
    return {"arm": TREATED, **outcome}


UPGRADES: Mapping[tuple[str, int], Callable[[Data], Data]] = {("outcome.json", 1): _with_arm}
"""How a file of a version becomes one of the next; a file that isn't named here stayed as it was."""


def upgraded(name: str, data: Data) -> Data:
    """The content of the file `name` in the shape of SCHEMA_VERSION. Raises ValueError for an unknown version."""
    version = data.get("schema_version")
    if type(version) is not int or not 1 <= version <= SCHEMA_VERSION:
        message = f"its schema_version is {version!r}; this version reads 1 to {SCHEMA_VERSION}"
        raise ValueError(message)
    for older in range(version, SCHEMA_VERSION):
        data = UPGRADES.get((name, older), dict)(data)
    return {**data, "schema_version": SCHEMA_VERSION}
