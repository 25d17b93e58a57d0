"""Read task packages from the disk. One that is broken never hides another."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from skillcheck.bench import settings, task_md, task_toml
from skillcheck.bench.package import Package, Settings, Source
from skillcheck.catalog.fault import Fault
from skillcheck.catalog.load import read_text
from skillcheck.diagnostic import Diagnostic, Problem, Severity, clipped
from skillcheck.errors import UsageError
from skillcheck.located import Located
from skillcheck.span import BOM, START, Lines
from skillcheck.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from skillcheck.bench.package import Layout

MAX_BYTES = 1 << 20
"""How long a task.md, an instruction.md and a task.toml may be."""
_PLACES = ("skillsbench/tasks", "tasks", ".")
"""Where a data set keeps its tasks, relative to its folder; the first that is there."""
_SIGNS = frozenset({task_md.NAME, task_toml.NAME, task_toml.INSTRUCTION, "environment"})
"""What makes a folder a task."""
_NAMED = 5


class Loaded(NamedTuple):
    """Packages that can be run, in the order of their ids, and what is wrong with the others."""

    packages: tuple[Package, ...]
    faults: tuple[Diagnostic, ...]


class _Parts(NamedTuple):
    """What the files of one package say; the package is None where they can't be used."""

    package: Package | None
    faults: tuple[tuple[str, Fault], ...]


def load_all(root: Path, ids: Sequence[str] = (), shown: str = "") -> Loaded:
    """The packages of a data set, or of a folder that is itself one; of these `ids` alone, where there are any.

    `shown` is what users call the folder. Raises UsageError where there are no tasks, or an id names none.
    """
    folders = _folders(root, shown or str(root))
    every = [load(folders[name], path) for name, path in _chosen(folders, ids, root, shown or str(root))]
    packages = (package for loaded in every for package in loaded.packages)
    return Loaded(tuple(packages), tuple(fault for loaded in every for fault in loaded.faults))


def load(folder: Path, shown: str = "") -> Loaded:
    """The package in a folder, or what is wrong with it; `shown` is what users call the folder."""
    shown = shown or str(folder)
    found = _read(folder, shown)
    return Loaded(
        (found.package,) if found.package else (),
        tuple(
            Diagnostic(f"{shown}/{name}", fault.problem.span, fault.rule, Severity.ERROR, *fault.problem[1:])
            for name, fault in found.faults
        ),
    )


def _folders(root: Path, shown: str) -> dict[str, Path]:
    """The folders of tasks by id."""
    if _is_task(root):
        return {root.resolve().name: root}
    for place in _PLACES:
        home = root / place
        names = sorted(os.listdir(home)) if home.is_dir() else ()
        found = {name: home / name for name in names if not name.startswith(".") and _is_task(home / name)}
        if found:
            return found
    message = f"{shown}: no tasks; a task is a folder with {task_md.NAME}, or with {task_toml.INSTRUCTION}"
    raise UsageError(message)


def _is_task(folder: Path) -> bool:
    return folder.is_dir() and any((folder / sign).exists() for sign in _SIGNS)


def _chosen(folders: dict[str, Path], ids: Sequence[str], root: Path, shown: str) -> Iterator[tuple[str, str]]:
    """The wanted ids, with their folders as users read them."""
    for name in ids:
        if name not in folders:
            others = f"; there are {', '.join([*folders][:_NAMED])}{' …' if len(folders) > _NAMED else ''}"
            message = f"no task {clipped(name)!r} in {shown}{did_you_mean(name, folders, others)}"
            raise UsageError(message)
    for name in sorted(set(ids)) or folders:
        inside = folders[name].relative_to(root).as_posix()
        yield name, shown if inside == "." else f"{shown.rstrip('/')}/{inside}"


def _read(folder: Path, shown: str) -> _Parts:
    both = _both_layouts(folder)
    if both:
        return _Parts(None, ((task_md.NAME, both),))
    if (folder / task_md.NAME).exists():
        return _read_1_1(folder, shown)
    return _read_1_0(folder, shown)


def _both_layouts(folder: Path) -> Fault | None:
    old = [name for name in (task_toml.INSTRUCTION, task_toml.NAME) if (folder / name).exists()]
    if not old or not (folder / task_md.NAME).exists():
        return None
    message = f"the task has both layouts: {task_md.NAME} is of 1.1, {' and '.join(old)} of 1.0"
    return Fault("task-layout", Problem(START, message, "keep one; BenchFlow would read task.md alone"))


def _read_1_1(folder: Path, shown: str) -> _Parts:
    text = read_text(folder / task_md.NAME, MAX_BYTES)
    if isinstance(text, Fault):
        return _Parts(None, ((task_md.NAME, text),))
    lines = Lines.of(text.removeprefix(BOM))
    document = task_md.read(lines, bom=text.startswith(BOM))
    faults = [*document.faults, *(settings.check(document.located, "1.1") if document.located else ())]
    if faults or document.located is None:
        return _Parts(None, tuple((task_md.NAME, fault) for fault in faults))
    source = Source(task_md.NAME, lines, document.body, task_md.NAME, document.located)
    return _Parts(_package(folder, shown, "1.1", source), ())


def _read_1_0(folder: Path, shown: str) -> _Parts:
    faults: list[tuple[str, Fault]] = []
    lines, located = Lines.of(""), Located({}, {}, {})
    if not (folder / task_toml.INSTRUCTION).exists():
        hint = f"write the prompt into it, or a {task_md.NAME}"
        faults.append((task_toml.INSTRUCTION, Fault("task-layout", Problem(START, "the file is missing", hint))))
    else:
        text = read_text(folder / task_toml.INSTRUCTION, MAX_BYTES)
        lines = lines if isinstance(text, Fault) else Lines.of(text.removeprefix(BOM))
        fault = text if isinstance(text, Fault) else task_toml.read_instruction(lines)
        faults += [(task_toml.INSTRUCTION, fault)] if fault else []
    has_settings = (folder / task_toml.NAME).exists()
    if has_settings:
        read = _read_toml(folder)
        found: Iterable[Fault] = [read] if isinstance(read, Fault) else settings.check(read, "1.0")
        faults += [(task_toml.NAME, fault) for fault in found]
        located = located if isinstance(read, Fault) else read
    if faults:
        return _Parts(None, tuple(faults))
    source = Source(task_toml.INSTRUCTION, lines, 0, task_toml.NAME if has_settings else "", located)
    return _Parts(_package(folder, shown, "1.0", source), ())


def _read_toml(folder: Path) -> Located | Fault:
    text = read_text(folder / task_toml.NAME, MAX_BYTES)
    return text if isinstance(text, Fault) else task_toml.read(Lines.of(text.removeprefix(BOM)))


def _package(folder: Path, shown: str, layout: Layout, source: Source) -> Package:
    said = settings.read(source.located.value, layout) if source.settings else Settings()
    return Package(folder.resolve().name, layout, folder, shown, said, source)
