"""Find implementations: one a module of a package, and those of installed plug-ins by entry point."""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from skillcheck.errors import UsageError
from skillcheck.suggest import unknown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from importlib.metadata import EntryPoint

T = TypeVar("T")


@cache
def modules(package: str) -> Mapping[str, str]:
    """Our implementations: kebab-case name to module, sub-packages included; nothing is loaded."""
    return {module.rpartition(".")[2].replace("_", "-"): module for module in sorted(_modules(package))}


def names(package: str) -> tuple[str, ...]:
    """The names of all implementations, plug-ins' included; nothing is loaded."""
    return tuple(sorted((*modules(package), *(entry.name for entry in _entries(package)))))


def load(module: str, constant: str) -> Any:
    """The constant of a module of ours. Raises AttributeError without it: a forgotten export fails at once."""
    return getattr(importlib.import_module(module), constant)


def find(package: str, name: str, constant: str) -> Any:
    """The implementation called `name`, ours or a plug-in's, without loading the others; None if there is none."""
    module = modules(package).get(name)
    return load(module, constant) if module else next(plugins(package, name), None)


def named(package: str, name: str, constant: str, kind: type[T], what: str) -> T:
    """The implementation called `name`, which is a `kind`. Raises UsageError for an unknown one: `what` is unknown."""
    found = find(package, name, constant)
    if not isinstance(found, kind):
        raise UsageError(unknown(what, name, names(package)))
    return found


def _modules(package: str) -> Iterator[str]:
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__, package + "."):
        if module.ispkg:
            yield from _modules(module.name)
        else:
            yield module.name


def _entries(group: str) -> tuple[EntryPoint, ...]:
    if not _mentioned(group):
        return ()
    from importlib import metadata  # noqa: PLC0415 - costs as much as everything else that lint imports

    return tuple(metadata.entry_points(group=group))


def plugins(group: str, name: str | None = None) -> Iterator[Any]:
    """What the entry points of a group load to, or the one of a name.

    Raises UsageError, with the distribution's name, for a plug-in that can't be loaded: it is never silence.
    """
    for entry in _entries(group):
        if name not in {None, entry.name}:
            continue
        try:
            yield entry.load()
        except Exception as error:
            distribution = entry.dist.name if entry.dist else "an unknown distribution"
            message = f"plug-in {entry.name!r} of {distribution} can't be loaded: {type(error).__name__}: {error}"
            raise UsageError(message) from error


def _mentioned(group: str) -> bool:
    """Whether any installed distribution declares the group: a cheap look before an expensive import."""
    wanted = f"[{group}]".encode()
    for folder in sys.path:
        try:
            with os.scandir(folder or ".") as found:
                names = [entry.path for entry in found if entry.name.endswith((".dist-info", ".egg-info"))]
        except OSError:
            continue
        for name in names:
            try:
                if wanted in (Path(name) / "entry_points.txt").read_bytes():
                    return True
            except OSError:
                continue
    return False
