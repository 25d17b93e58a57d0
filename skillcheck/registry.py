"""Find implementations: one a module of a package, then those of installed plug-ins."""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skillcheck.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.metadata import EntryPoint


def discover(package: str, constant: str) -> tuple[Any, ...]:
    """The `constant` of every module below `package`, then of every entry point in the group named `package`.

    Raises AttributeError for a module of ours without the constant, and UsageError, with the distribution's name,
    for a plug-in that can't be loaded: a forgotten export or a broken plug-in is never silence.
    """
    own = (getattr(importlib.import_module(name), constant) for name in sorted(_modules(package)))
    return (*own, *_plugins(package))


def find(package: str, name: str, constant: str) -> Any:
    """The one implementation that is called `name`, without loading the others; None if there is none.

    Ours is the module of that name with underscores for hyphens, a plug-in's is the entry point of that name.
    """
    module = f"{package}.{name.replace('-', '_')}"
    if module in _modules(package):
        return getattr(importlib.import_module(module), constant)
    return next((plugin for plugin in _plugins(package, name)), None)


def names(package: str) -> tuple[str, ...]:
    """The names of all implementations, none of which is loaded."""
    own = (module.removeprefix(package + ".").replace("_", "-") for module in _modules(package))
    return tuple(sorted((*own, *(entry.name for entry in _entries(package)))))


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


def _plugins(group: str, name: str | None = None) -> Iterator[Any]:
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
