"""Fixtures: the files that a workspace begins with, from the folder `evals/fixtures/` and from nowhere else."""

from __future__ import annotations

import os
import posixpath
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from skillcheck.catalog.files import Files, outside
from skillcheck.diagnostic import clipped
from skillcheck.errors import UsageError
from skillcheck.evals.workspace import tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SETUP = ".eval"
"""The folder of a fixture that is for the setup alone; the agent never sees it, nor a solution that lies in it."""
PATCH = "working-tree.patch"
SKIPPED = frozenset({SETUP, ".git"})
"""What never reaches a workspace. A history would bring settings of its own, which git acts on."""

SHOWN = 60
"""How much of a path messages quote, in code points."""


class Patch(NamedTuple):
    """Edits that are made after the baseline is committed; `name` is what messages call them."""

    name: str
    data: bytes


def escaping(path: str, home: Path, files: Files) -> str:
    """What is wrong with an entry that leads out of `home`, by itself or by a link in it; empty if nothing is."""
    reason = outside(path)
    if not reason and files.look(home / path).exists:
        link = files.escape(home / path, home)
        reason = f"the link {link.relative_to(home).as_posix()!r} leads outside" if link else ""
    return f"fixture {clipped(path, SHOWN)!r} leaves the fixtures: {reason}" if reason else ""


def missing(path: str, home: Path, files: Files) -> str:
    """What is wrong with an entry that is not there, or holds nothing; empty if nothing is."""
    found = files.look(home / path)
    shown = f"fixture {clipped(path, SHOWN)!r}"
    if found.actual:
        return f"{shown} does not exist; the true name is {found.actual.name!r}"
    if not found.exists or not files.arrives(home / path):
        return f"{shown} does not exist"
    return f"{shown} is an empty folder" if files.is_empty_folder(home / path) else ""


def check(files: Sequence[str], fixtures: Path) -> Iterator[str]:
    """What is wrong with the entries of an eval's `files`; a workspace can be made of them if nothing is."""
    known = Files(fixtures)
    for path in files:
        found = escaping(path, fixtures, known) or missing(path, fixtures, known) or _uncopyable(path, fixtures)
        if found:
            yield found


def _uncopyable(path: str, home: Path) -> str:
    shown = f"fixture {clipped(path, SHOWN)!r}"
    if not SKIPPED.isdisjoint(PurePosixPath(path).parts):
        return f"{shown} is for the setup alone and never reaches a workspace"
    faults = tree.faults(Path(os.path.realpath(home / path)), SKIPPED)
    return next((f"{shown} can't be copied: {place!r}: {reason}" for place, reason in faults), "")


def copy(files: Sequence[str], fixtures: Path, work: Path) -> tuple[Patch, ...]:
    """Copy each entry to the same place below `work`; returns what to edit once they are committed.

    Raises UsageError for the first entry that can't be copied, and OSError where reading or writing fails.
    """
    problem = next(check(files, fixtures), "")
    if problem:
        raise UsageError(problem)
    patches: dict[Path, Patch] = {}
    for path in files:
        source = Path(os.path.realpath(fixtures / path))
        tree.copy(source, work / path, SKIPPED)
        patch = source / SETUP / PATCH
        if patch.is_file():
            patches[patch] = Patch(posixpath.join(path, SETUP, PATCH), patch.read_bytes())
    return tuple(patches.values())
