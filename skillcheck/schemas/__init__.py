"""The JSON Schemas (2020-12) that ship with the product, and validation by them."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Path = tuple[str | int, ...]
_SUFFIX = ".schema.json"


def names() -> tuple[str, ...]:
    """The names of all schemas."""
    files = (entry.name for entry in resources.files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in files if name.endswith(_SUFFIX)))


def text(name: str) -> str:
    """A schema as it is stored; raises FileNotFoundError for an unknown name."""
    return (resources.files(__name__) / (name + _SUFFIX)).read_text("utf-8")


@cache
def schema(name: str) -> dict[str, Any]:
    """A schema as plain JSON."""
    return json.loads(text(name))  # type: ignore[no-any-return]


@cache
def _validator(name: str, definition: str = "") -> Any:
    import jsonschema_rs  # noqa: PLC0415 - a lint without settings needs none

    whole = schema(name)
    return jsonschema_rs.Draft202012Validator(
        {**whole["$defs"][definition], "$defs": whole["$defs"]} if definition else whole
    )


def problems(name: str, data: Any) -> tuple[tuple[Path, str], ...]:
    """What `data` breaks: the path of each offending value and a message; none if it is valid."""
    return tuple((tuple(error.instance_path), _message(error)) for error in _validator(name).iter_errors(data))


def _message(error: Any) -> str:
    """The validator's message, with all choices where it names some of them."""
    if error.kind.name != "enum":
        return str(error.message)
    *choices, last = map(json.dumps, error.kind.options)
    return f"{json.dumps(error.instance, ensure_ascii=False)} is not one of {', '.join(choices)} or {last}"


def fits(name: str, definition: str, data: Any) -> bool:
    """Whether `data` is valid by one of a schema's `$defs`."""
    return bool(_validator(name, definition).is_valid(data))


def unknown_keys(name: str, data: Any) -> Iterator[tuple[Path, str, tuple[str, ...]]]:
    """Keys that a schema doesn't list: the path of their object, the key, and the keys that are listed there."""
    root = schema(name)
    todo: list[tuple[Path, Mapping[str, Any], Any]] = [((), root, data)]
    while todo:
        path, node, value = todo.pop()
        node = _resolved(root, node)
        if isinstance(value, list) and "items" in node:
            todo.extend(((*path, i), node["items"], item) for i, item in enumerate(value))
        if not isinstance(value, dict) or "properties" not in node:
            continue
        known = node["properties"]
        for key, item in value.items():
            if key in known:
                todo.append(((*path, key), known[key], item))
            else:
                yield path, key, tuple(known)


def _resolved(root: Mapping[str, Any], node: Mapping[str, Any]) -> Mapping[str, Any]:
    reference = node.get("$ref")
    return root["$defs"][reference.removeprefix("#/$defs/")] if reference else node
