"""The tasks of a stored run, held against their folders today."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skillcheck.bench import digest
from skillcheck.catalog.fault import Fault
from skillcheck.catalog.files import shown
from skillcheck.diagnostic import Problem
from skillcheck.span import START

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def changed(tested: Mapping[str, Any], base: Path) -> Iterator[tuple[str, Fault]]:
    """The tasks that aren't what they were, by shown path; nothing is said of folders that aren't on this machine."""
    tasks = tested.get("tasks")
    for name, task in tasks.items() if isinstance(tasks, dict) else ():
        folder = task.get("folder") if isinstance(task, dict) else None
        if isinstance(folder, str) and os.path.isdir(folder) and _differs(Path(folder), task.get("digest")):  # noqa: PTH112 - Path.is_dir raises
            problem = Problem(START, f"the task {name} has changed since", "run it again")
            yield shown(Path(folder), base), Fault("changed-subject", problem)


def _differs(folder: Path, was: object) -> bool:
    try:
        return digest.of_task(folder) != was
    except OSError:
        return True
