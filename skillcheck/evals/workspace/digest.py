"""Digests of what a trial depends on: of JSON values and of folders, read in pieces."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

PREFIX = "sha256:"
"""What stands before a digest that others read."""


def canonical(value: Any) -> str:
    """The one way to write a JSON value: sorted keys, no blanks. Raises ValueError for NaN and infinities."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def of_value(value: Any) -> str:
    """The sha256, in hex, of a JSON value in its canonical form, in UTF-8; raises as `canonical`."""
    return hashlib.sha256(canonical(value).encode("utf-8", "surrogatepass")).hexdigest()


def of_set(name: str, tasks: Mapping[str, str]) -> str:
    """The digest of a set of tasks: of its name and of its tasks' digests by id, as canonical JSON."""
    return PREFIX + of_value({"task_set": name, "tasks": dict(tasks)})


def of_file(path: Path) -> str:
    """The sha256, in hex, of a file's bytes, read in pieces. Raises OSError where it can't be read."""
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, hashlib.sha256).hexdigest()


def of_tree(path: Path, skip: Collection[str] = ()) -> str:
    """The sha256, in hex, of a file or folder: relative paths, kinds, exec bits and bytes.

    A link counts by what it says, not by what it leads to. What is absent or can't be read has a digest too. Python's
    bytecode doesn't count: running a script leaves it. Nor do entries with a name in `skip`, one that begins with a
    slash at the top only.
    """
    whole = hashlib.sha256()
    for relative, file in _files(path, skip):
        whole.update(os.fsencode(relative) + b"\0" + _kind(file) + b"\0" + _content(file) + b"\n")
    return whole.hexdigest()


def _files(path: Path, skip: Collection[str]) -> Iterator[tuple[str, Path]]:
    if not path.is_dir() or path.is_symlink():
        yield ".", path
        return
    skipped = {"__pycache__", *(name.removeprefix("/") for name in skip)}
    for folder, folders, found in os.walk(path):
        folders[:] = sorted(name for name in folders if name not in skipped)
        names = [name for name in found if name not in skipped]
        skipped = {"__pycache__", *skip}
        links = [name for name in folders if (Path(folder) / name).is_symlink()]
        for name in sorted((*names, *links)):
            file = Path(folder) / name
            yield file.relative_to(path).as_posix(), file


def _kind(file: Path) -> bytes:
    try:
        mode = file.lstat().st_mode
    except OSError:
        return b"absent"
    if stat.S_ISREG(mode):
        return b"program" if mode & stat.S_IXUSR else b"file"
    return b"link" if stat.S_ISLNK(mode) else b"other"


def _content(file: Path) -> bytes:
    kind = _kind(file)
    try:
        if kind == b"link":
            return os.fsencode(file.readlink())
        if kind in {b"file", b"program"}:
            with file.open("rb") as opened:
                return hashlib.file_digest(opened, hashlib.sha256).digest()
    except OSError:
        return b"unreadable"
    return b""
