"""Where two JSON values differ, as messages tell it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from skillcheck.diagnostic import clipped

if TYPE_CHECKING:
    from collections.abc import Iterator

At = tuple[str | int, ...]
"""The path to a value: keys and indices."""
SHOWN = 60
"""How much of a value a message tells, in code points."""
_ABSENT = object()


def differences(found: Any, due: Any, at: At = ()) -> Iterator[tuple[At, Any, Any]]:
    """The innermost values that differ, by path, of `found` and of `due`."""
    if isinstance(found, dict) and isinstance(due, dict):
        for key in dict.fromkeys((*due, *found)):
            yield from differences(found.get(key, _ABSENT), due.get(key, _ABSENT), (*at, key))
    elif isinstance(found, list) and isinstance(due, list) and len(found) == len(due):
        for index, (each, other) in enumerate(zip(found, due, strict=True)):
            yield from differences(each, other, (*at, index))
    elif type(found) is not type(due) or found != due:
        yield at, found, due


def named(at: At) -> str:
    """A path as people write it: `expectations[0].passed`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in at).removeprefix(".")


def shown_value(value: Any) -> str:
    """A JSON value as a message quotes it; of `differences`, one that isn't there is `absent`."""
    return "absent" if value is _ABSENT else clipped(json.dumps(value, ensure_ascii=False, default=str), SHOWN)
