"""Read task packages from the disk. One that is broken never hides another."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from skillcheck.bench import settings, task_md, task_toml
from skillcheck.bench.package import Package, Parts, Settings
from skillcheck.catalog.fault import Fault
from skillcheck.diagnostic import Diagnostic, Problem, Severity, clipped
from skillcheck.errors import UsageError
from skillcheck.span import START
from skillcheck.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from skillcheck.bench.package import Layout

_PLACES = ("skillsbench/tasks", "tasks", ".")
"""Where a data set keeps its tasks, relative to its folder; the first that is there."""
_SIGNS = frozenset({task_md.NAME, task_toml.NAME, task_toml.INSTRUCTION, "environment"})
"""What makes a folder a task."""
_NAMED = 5


class Loaded(NamedTuple):
    """Packages that can be run, in the order of their ids, and what is wrong with the others."""

    packages: tuple[Package, ...]
    faults: tuple[Diagnostic, ...]


def load_all(root: Path, ids: Sequence[str] = (), shown: str = "") -> Loaded:
    """The packages of a data set, or of a folder that is itself one; of these `ids` alone, where there are any.

    `shown` is what users call the folder. Raises UsageError where there are no tasks, or an id names none.
    """
    return load_sets({root: shown or str(root)}, ids)


def load_sets(roots: Mapping[Path, str], ids: Sequence[str] = ()) -> Loaded:
    """The packages of several data sets or tasks, as `load_all`; `roots` are folders with what users call them."""
    folders: dict[str, tuple[Path, str]] = {}
    for root, shown in roots.items():
        for name, folder in _folders(root, shown).items():
            if name in folders:
                message = f"the task {clipped(name)!r} stands twice: in {folders[name][1]} and in {shown}"
                raise UsageError(message)
            inside = folder.relative_to(root).as_posix()
            folders[name] = folder, shown if inside == "." else f"{shown.rstrip('/')}/{inside}"
    every = [load(*folders[name]) for name in _chosen(folders, ids, ", ".join(roots.values()))]
    packages = (package for loaded in every for package in loaded.packages)
    return Loaded(tuple(packages), tuple(fault for loaded in every for fault in loaded.faults))


def load(folder: Path, shown: str = "") -> Loaded:
    """The package in a folder, or what is wrong with it; `shown` is what users call the folder."""
    shown, has_new = shown or str(folder), (folder / task_md.NAME).exists()
    layout: Layout = "1.1" if has_new else "1.0"
    both = _both_layouts(folder) if has_new else None
    read = task_md.read if has_new else task_toml.read
    source, faults = Parts(None, ((task_md.NAME, both),)) if both else read(folder)
    if source is None:
        return Loaded((), tuple(_diagnostic(f"{shown}/{name}", fault) for name, fault in faults))
    said = settings.read(source.located.value, layout) if source.settings else Settings()
    return Loaded((Package(_id(folder), layout, folder, shown, said, source),), ())


def _both_layouts(folder: Path) -> Fault | None:
    old = [name for name in (task_toml.INSTRUCTION, task_toml.NAME) if (folder / name).exists()]
    message = f"the task has both layouts: {task_md.NAME} is of 1.1, {' and '.join(old)} of 1.0"
    hint = f"keep one; BenchFlow reads {task_md.NAME} alone"
    return Fault("task-layout", Problem(START, message, hint)) if old else None


def _diagnostic(path: str, fault: Fault) -> Diagnostic:
    return Diagnostic(path, fault.problem.span, fault.rule, Severity.ERROR, *fault.problem[1:])


def _folders(root: Path, shown: str) -> dict[str, Path]:
    """The folders of tasks by id."""
    if _is_task(root):
        return {_id(root): root}
    for place in _PLACES:
        home = root / place
        names = sorted(os.listdir(home)) if home.is_dir() else ()
        found = {name: home / name for name in names if not name.startswith(".") and _is_task(home / name)}
        if found:
            return found
    message = f"{shown}: no tasks; a task is a folder with {task_md.NAME}, or with {task_toml.INSTRUCTION}"
    raise UsageError(message)


def _id(folder: Path) -> str:
    return os.path.basename(os.path.abspath(folder))  # noqa: PTH100, PTH119 - a link keeps its own name


def _is_task(folder: Path) -> bool:
    return folder.is_dir() and any((folder / sign).exists() for sign in _SIGNS)


def _chosen(folders: Collection[str], ids: Sequence[str], where: str) -> list[str]:
    """The wanted ids, in order, of those that there are."""
    for name in ids:
        if name not in folders:
            others = f"; there are {', '.join([*folders][:_NAMED])}{' …' if len(folders) > _NAMED else ''}"
            message = f"no task {clipped(name)!r} in {where}{did_you_mean(name, folders, others)}"
            raise UsageError(message)
    return sorted(set(ids) or folders)
