"""What a verifier said: the reward that it left, from 0 to 1, or why there is none.

Where the verifier failed, what it left isn't looked at: a status other than 0 says that it could not judge.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from skillcheck.diagnostic import clipped
from skillcheck.evals.workspace import workfiles
from skillcheck.located import ParseError
from skillcheck.located import json as located_json
from skillcheck.span import Lines

if TYPE_CHECKING:
    from pathlib import Path

    from skillcheck.process import Exit

TEXT = "reward.txt"
JSON = "reward.json"
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WANTED = "a number from 0 to 1"
_SHOWN = 60


class Reward(NamedTuple):
    """A verdict, from 0 to 1."""

    value: float


class Unverified(NamedTuple):
    """No verdict, neither passed nor failed: `how` is one of `evals.outcome.CLASSES`."""

    how: str
    message: str


def read(logs: Path, exited: Exit) -> Reward | Unverified:
    """What a verifier left in its folder of logs, which was empty before: reward.txt, or else reward.json."""
    failed = _failed(exited)
    if failed:
        return failed
    for name, parse in ((TEXT, from_text), (JSON, from_json)):
        if workfiles.look(logs, name):
            content = workfiles.read(logs, name)
            return _unusable(content.problem) if content.problem else parse(content.data)
    return _unusable(f"the verifier left neither {TEXT} nor {JSON}; it must write {_WANTED} into one of them")


def from_text(data: bytes) -> Reward | Unverified:
    """The reward in a reward.txt: one number, alone."""
    text = data.decode("utf-8", "replace").strip()
    count = len(text.splitlines())
    if count > 1:
        return _unusable(f"{TEXT} has {count} lines; it must hold {_WANTED} alone")
    if not text:
        return _unusable(f"{TEXT} is empty; it must hold {_WANTED}")
    return _of(float(text) if _NUMBER.fullmatch(text) else None, TEXT, text)


def from_json(data: bytes) -> Reward | Unverified:
    """The reward in a reward.json: the member `reward` of an object."""
    try:
        found = located_json.parse(Lines.of(data.decode("utf-8")))
    except (ParseError, UnicodeDecodeError) as error:
        return _unusable(f"{JSON} is not JSON: {error}")
    if not isinstance(found.value, dict) or "reward" not in found.value or found.duplicates:
        return _unusable(f'{JSON} must be an object with one member "reward"')
    value = found.value["reward"]
    return _of(value if isinstance(value, int | float) and not isinstance(value, bool) else None, JSON, repr(value))


def _of(value: float | None, name: str, written: str) -> Reward | Unverified:
    if value is None or not 0 <= value <= 1:
        return _unusable(f"{name} says {clipped(written, _SHOWN)}; it must say {_WANTED}")
    return Reward(float(value))


def _unusable(message: str) -> Unverified:
    return Unverified("verifier-output", message)


def _failed(exited: Exit) -> Unverified | None:
    if exited.stopped == "interrupted":
        return Unverified("interrupted", "the run was interrupted while the verifier ran")
    if exited.stopped:
        return Unverified("verifier-timeout", f"the verifier was stopped after {exited.seconds:.0f} seconds")
    if exited.status:
        how = f"ended with status {exited.status}" if exited.status > 0 else f"was ended by signal {-exited.status}"
        return Unverified("verifier-crash", f"the verifier {how}; it must end with 0 whatever the reward is")
    return None
