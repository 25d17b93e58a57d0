"""The settings of a task, checked by their schema; both layouts have the same but for the names of three keys."""

from __future__ import annotations

import json
import re
from itertools import islice
from typing import TYPE_CHECKING, Any

from skillcheck import schemas
from skillcheck.bench.package import Resources, Settings
from skillcheck.catalog.fault import Fault
from skillcheck.diagnostic import Problem, clipped
from skillcheck.suggest import closest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from skillcheck.bench.package import Layout
    from skillcheck.located import Located, Path
    from skillcheck.span import Span

SCHEMA = "task"
MAX_FAULTS = 100
"""How many breaches of the schema are told of one file."""
_MAX_VALUES = 10_000
"""How many values the settings may have: aliases of YAML can make a short text endless."""
_PLACE: Mapping[Layout, str] = {"1.0": "environment", "1.1": "sandbox"}
"""What a layout calls the settings of the place where the agent works."""
_SEVERAL = ("agents", "scenes", "user")
"""Keys of tasks for several agents, or for one that talks with somebody."""
_SIZES = ("memory", "storage")
_SHOWN = 80
_MISSING = re.compile(r'"(.*)" is a required property')
_MEGABYTES = {"K": 1 / 1024, "M": 1, "G": 1024}


def check(located: Located, layout: Layout) -> Iterator[Fault]:
    """What is wrong with the settings of a task; `read` can be used if nothing is."""
    if _is_endless(located.value):
        message = f"the settings have more than {_MAX_VALUES:,} values"
        yield Fault("task-settings", Problem(located.span(), message, "write them without aliases"))
        return
    yield from islice(_all(located, layout), MAX_FAULTS)


def read(data: Mapping[str, Any], layout: Layout) -> Settings:
    """The settings, which `check` found no fault in."""
    metadata, agent, verifier = data["metadata"], data["agent"], data["verifier"]
    sandbox, oracle = data.get(_PLACE[layout], {}), data.get("oracle", data.get("solution", {}))
    return Settings(
        category=metadata["category"],
        difficulty=metadata["difficulty"],
        tags=tuple(metadata.get("tags", ())),
        metadata=metadata,
        agent_timeout_s=agent["timeout_sec"],
        verifier_timeout_s=verifier["timeout_sec"],
        verifier_type=verifier.get("type", "test-script"),
        resources=_resources(sandbox),
        image=sandbox.get("docker_image") or sandbox.get("image") or "",
        env=sandbox.get("env", {}),
        oracle_env=oracle.get("env", {}),
        verifier_env=verifier.get("env", {}),
    )


def _resources(sandbox: Mapping[str, Any]) -> Resources:
    old = {f"{name}_mb": _megabytes(sandbox[name]) for name in _SIZES if name in sandbox}
    said = {name: sandbox[name] for name in Resources._fields if name in sandbox}
    closed = not sandbox.get("allow_internet", True)
    return Resources()._replace(
        **old, **said, network="no-network" if closed else sandbox.get("network_mode", "public")
    )


def _megabytes(size: str) -> int:
    return max(1, round(float(size[:-1]) * _MEGABYTES[size[-1].upper()]))


def _is_endless(value: Any) -> bool:
    todo, seen = [value], 0
    while todo and seen <= _MAX_VALUES:
        seen += 1
        item = todo.pop()
        todo += item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
    return seen > _MAX_VALUES


def _all(located: Located, layout: Layout) -> Iterator[Fault]:
    meant: set[Path] = set()
    for path, first, second in located.duplicates:
        message = f"key {where(path)!r} stands twice: line {first.line} has it already"
        yield Fault("task-settings", Problem(second, message, "keep one of the two"))
    yield from _keys(located, layout, meant)
    yield from _old_sizes(located, layout)
    yield from _values(located, meant)


def _keys(located: Located, layout: Layout, meant: set[Path]) -> Iterator[Fault]:
    """Keys that nothing reads; what they were meant for, and isn't missing therefore, is added to `meant`."""
    data = located.value
    for key in _PLACE.values():
        if key in data and key != _PLACE[layout]:
            message, hint = f"{key!r} is a name of the other layout", f"rename it: here it is {_PLACE[layout]!r}"
            yield Fault("task-unknown-field", Problem(located.key_span(key), message, hint))
    for path, key, known in schemas.unknown_keys(SCHEMA, data):
        span, name = located.key_span(*path, key), clipped(where((*path, key)), _SHOWN)
        near = closest(str(key), known)
        if not path and key in _SEVERAL:
            message, hint = f"{key!r} is for several agents or turns", "only one agent with one prompt is run here"
        else:
            message = f"unknown field {name!r}" + (f"; did you mean {near!r}" if near else "")
            hint = "" if near else f"known here: {', '.join(known)}"
        if near:
            meant.add((*path, near))
        yield Fault("task-unknown-field", Problem(span, message, hint))


def _old_sizes(located: Located, layout: Layout) -> Iterator[Fault]:
    """Sizes as text: tasks of 1.0 have them, those of 1.1 must not; nothing may be said twice."""
    section = _PLACE[layout]
    sandbox = located.value.get(section)
    for name in _SIZES if isinstance(sandbox, dict) else ():
        if name in sandbox and (layout == "1.1" or f"{name}_mb" in sandbox):
            value = sandbox[name]
            usable = isinstance(value, str) and schemas.fits(SCHEMA, "sandbox", {name: value})
            instead = f"write {name}_mb, a number of megabytes{f': {_megabytes(value)}' if usable else ''}"
            message = f"{section}.{name} is the old form of {section}.{name}_mb"
            yield Fault("task-unknown-field", Problem(located.key_span(section, name), message, instead))


def _values(located: Located, meant: set[Path]) -> Iterator[Fault]:
    written = json.dumps(located.value, default=str, skipkeys=True)
    for path, said in schemas.problems(SCHEMA, json.loads(written, parse_constant=str)):
        missing = _MISSING.fullmatch(said)
        whole = (*path, missing[1]) if missing else path
        if whole not in meant:
            span, text = _missing(located, whole) if missing else (located.key_span(*path), _told(path, said))
            yield Fault("task-settings", Problem(span, text, _meaning(whole)))


def _missing(located: Located, path: Path) -> tuple[Span, str]:
    """Where a field is missing, and what stands there that is nearly it."""
    *above, name = path
    table = located.value
    for step in above:
        table = table[step]
    near = closest(name, filter(lambda key: isinstance(key, str), table))
    message = f"{where(path)} is missing"
    if near:
        return located.key_span(*above, near), f"{message}: {clipped(near, _SHOWN)!r} stands here"
    return located.key_span(*above), message


def _told(path: Path, said: str) -> str:
    value, pattern, _ = said.partition(" does not match ")
    said = clipped(f"{value} is no size" if pattern else said, _SHOWN * 2)
    return f"{clipped(where(path), _SHOWN)}: {said}" if path else said


def _meaning(path: Path) -> str:
    """What would be right at a path, as the schema describes it."""
    root = schemas.schema(SCHEMA)
    node, told = root, ""
    for step in path:
        node = node.get("items", {}) if isinstance(step, int) else node.get("properties", {}).get(step, {})
        node = root["$defs"][node["$ref"].removeprefix("#/$defs/")] if "$ref" in node else node
        told = node.get("description", told)
    return told


def where(path: Path) -> str:
    """A path as people write it: verifier.env.NAME."""
    return ".".join(map(str, path))
