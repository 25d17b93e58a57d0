"""What older versions stored, as today's version reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skillcheck.evals.store.difference import shown_value
from skillcheck.evals.workspace.arm import TREATED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Data = Mapping[str, Any]

SCHEMA_VERSION = 2
"""Raised when what is stored in any file of a run changes."""


def _filled(outcome: Data) -> Data:
    """Older outcomes name no arm where there was one only, no verifier, and no verdict by what it counts as."""
    return {"arm": TREATED, "verified": None, **outcome, **_grading(outcome.get("grading"))}


def _grading(data: Any) -> Data:
    if not isinstance(data, dict):
        return {}
    verdicts = {name: data[name] for name in ("expectations", "checks") if isinstance(data.get(name), list)}
    filled = {name: [_verdict(each) for each in found] for name, found in verdicts.items()}
    return {"grading": {**data, **filled}}


def _verdict(data: Any) -> Any:
    return {"process": False, "role": "", **data} if isinstance(data, dict) else data


UPGRADES: Mapping[tuple[str, int], Callable[[Data], Data]] = {("outcome.json", 1): _filled}
"""How a file of a version becomes one of the next; a file that isn't named here stayed as it was."""


def upgraded(name: str, data: Data) -> Data:
    """The content of the file `name` in the shape of SCHEMA_VERSION. Raises ValueError for an unknown version."""
    version = data.get("schema_version")
    if type(version) is not int or not 1 <= version <= SCHEMA_VERSION:
        message = f"its schema_version is {shown_value(version)}; this version reads 1 to {SCHEMA_VERSION}"
        raise ValueError(message)
    for older in range(version, SCHEMA_VERSION):
        data = UPGRADES.get((name, older), dict)(data)
    return {**data, "schema_version": SCHEMA_VERSION}
