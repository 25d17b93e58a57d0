"""Named tuples from plain JSON, by their annotations: what has another type is refused."""

from __future__ import annotations

import math
from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints

from skillcheck.diagnostic import clipped

if TYPE_CHECKING:
    from collections.abc import Mapping


def built(kind: Any, data: Any, name: str = "it") -> Any:
    """A value of a type: a named tuple, a tuple or dict of one type, a literal, a plain type, or one of these or None.

    Keys that a named tuple doesn't have are passed over. Raises KeyError for one that is missing, and TypeError for a
    value of another type, which the message calls `name`; NaN and infinities are no numbers.
    """
    origin = get_origin(kind)
    if origin in {Union, UnionType}:
        (other,) = (each for each in get_args(kind) if each is not NoneType)
        return None if data is None else built(other, data, name)
    if origin is tuple or origin is dict or (origin is None and issubclass(kind, tuple)):
        return _collection(kind, data, name)
    wanted = _unlike(kind, data)
    if wanted:
        message = f"{name} is {clipped(repr(data))}, not {wanted}"
        raise TypeError(message)
    return data


def _collection(kind: Any, data: Any, name: str) -> Any:
    inner = get_args(kind)
    if isinstance(data, list) and get_origin(kind) is tuple:
        return tuple(built(inner[0], each, f"{name}[{index}]") for index, each in enumerate(data))
    if isinstance(data, dict) and get_origin(kind) is dict:
        return {key: built(inner[1], each, key) for key, each in data.items()}
    if isinstance(data, dict) and not inner:
        return kind(**{key: built(hint, data[key], key) for key, hint in _hints(kind).items()})
    message = f"{name} is {clipped(repr(data))}, not {'a list' if get_origin(kind) is tuple else 'an object'}"
    raise TypeError(message)


def _unlike(kind: Any, data: Any) -> str:
    """What a value should be that isn't; empty where it is right."""
    if get_origin(kind) is Literal:
        return "" if data in get_args(kind) else " or ".join(map(repr, get_args(kind)))
    if kind is float:
        return "" if type(data) in {int, float} and math.isfinite(data) else "a number"
    return "" if kind is Any or type(data) is kind else f"of type {kind.__name__}"


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind)
