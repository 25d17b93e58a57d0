"""The JSON Schemas (2020-12) that ship with the product, and validation by them."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

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


class Breach(NamedTuple):
    """One thing that a value breaks: where, which keyword of the schema, and what is wrong."""

    path: Path
    keyword: str
    message: str


def breaches(
    rules: Mapping[str, Any], data: Any, formats: Mapping[str, Callable[[str], str]] | None = None
) -> tuple[Breach, ...]:
    """What `data` breaks of a schema that isn't ours; `formats` say by name what is wrong with a text, or nothing.

    Nothing is fetched. Raises ValueError for a schema that can't be used.
    """
    import jsonschema_rs  # noqa: PLC0415 - see above

    told = formats or {}
    known = {name: lambda text, fault=fault: not fault(text) for name, fault in told.items()}
    validator = jsonschema_rs.validator_for(dict(rules), formats=known, validate_formats=True, retriever=_refuse)
    return tuple(dict.fromkeys(_breach(error, told) for error in validator.iter_errors(data)))


def _breach(error: Any, formats: Mapping[str, Callable[[str], str]]) -> Breach:
    keyword = error.kind.name
    fault = formats.get(error.kind.format) if keyword == "format" else None
    return Breach(tuple(error.instance_path), keyword, fault(error.instance) if fault else _message(error))


def _refuse(address: str) -> NoReturn:
    message = f"{address} is not part of it"
    raise ValueError(message)


def _message(error: Any) -> str:
    """The validator's message, with all choices where it names some of them."""
    if error.kind.name != "enum":
        return str(error.message)
    *choices, last = map(json.dumps, error.kind.options)
    return f"{json.dumps(error.instance, ensure_ascii=False)} is not one of {', '.join(choices)} or {last}"


def fits(name: str, definition: str, data: Any) -> bool:
    """Whether `data` is valid by one of a schema's `$defs`."""
    return bool(_validator(name, definition).is_valid(data))


def problems_of(name: str, definition: str, data: Any) -> tuple[str, ...]:
    """What `data` breaks of one of a schema's `$defs`, each with the way to the value."""
    return tuple(
        ": ".join(filter(None, (".".join(map(str, error.instance_path)), _message(error))))
        for error in _validator(name, definition).iter_errors(data)
    )


def unknown_keys(name: str, data: Any) -> Iterator[tuple[Path, str, tuple[str, ...]]]:
    """Keys that a schema neither lists nor leaves free: the path of their object, the key, and the listed keys."""
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
            elif node.get("additionalProperties") is not True:
                yield path, key, tuple(known)


def _resolved(root: Mapping[str, Any], node: Mapping[str, Any]) -> Mapping[str, Any]:
    reference = node.get("$ref")
    return root["$defs"][reference.removeprefix("#/$defs/")] if reference else node
