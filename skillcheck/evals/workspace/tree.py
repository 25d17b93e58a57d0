"""Folders as whole things: copied, and removed whatever an agent made of them. Links are never followed."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from skillcheck.process import run

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

KINDS = {stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket", stat.S_IFBLK: "a device", stat.S_IFCHR: "a device"}
"""What is neither file, folder nor link, by `stat.S_IFMT`."""


def entries(folder: Path, skip: Collection[str] = ()) -> Iterator[os.DirEntry[str]]:
    """Everything below a folder but folders, sorted within each.

    Entries with a name in `skip` are passed over; a name there that begins with a slash counts at the top only.
    Raises OSError where a folder can't be listed.
    """
    todo = [folder]
    skipped = {name.removeprefix("/") for name in skip}
    while todo:
        with os.scandir(todo.pop()) as listing:
            found = sorted((entry for entry in listing if entry.name not in skipped), key=lambda entry: entry.name)
        skipped = set(skip)
        for entry in found:
            if not entry.is_dir(follow_symlinks=False):
                yield entry
        todo += [Path(entry.path) for entry in reversed(found) if entry.is_dir(follow_symlinks=False)]


def faults(source: Path, skip: Collection[str] = ()) -> Iterator[tuple[str, str]]:
    """What `copy` leaves out: the path relative to `source`, and why.

    A link is copied if it works as well in the copy: it is relative and stays inside, as it is written and in truth.
    """
    for entry in _all(source, skip):
        mode = os.lstat(entry).st_mode
        kind = KINDS.get(stat.S_IFMT(mode))
        if kind:
            yield os.path.relpath(entry, source), f"it is {kind}"
        elif stat.S_ISLNK(mode) and not _stays(Path(entry), source):
            yield os.path.relpath(entry, source), f"it is a link to {os.readlink(entry)!r}"  # noqa: PTH115 - as written


def copy(source: Path, target: Path, skip: Collection[str] = ()) -> None:
    """Copy a file or folder but for its `faults`. Modes become 0755 or 0644, as in git; what is at its place stays.

    Raises OSError where reading or writing fails.
    """
    left_out = {path for path, _ in faults(source, skip)}
    if source.is_dir():
        target.mkdir(parents=True, exist_ok=True)
    for entry in _all(source, skip):
        path = os.path.relpath(entry, source)
        there = target / path
        if path in left_out or os.path.lexists(there):
            continue
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(entry, there, follow_symlinks=False)
        if not there.is_symlink():
            there.chmod(0o755 if os.lstat(entry).st_mode & 0o111 else 0o644)


def _all(source: Path, skip: Collection[str]) -> Iterator[str]:
    if source.is_dir():
        yield from (entry.path for entry in entries(source, skip))
    else:
        yield str(source)


def _stays(link: Path, root: Path) -> bool:
    """Whether a link is relative and leads to no place outside, neither on its way nor in the end."""
    to = os.readlink(link)  # noqa: PTH115 - Path drops what is redundant
    top = "/\0"  # a folder that no link can come back to by its name
    way = os.path.normpath(f"{top}/{os.path.relpath(link.parent, root)}/{to}")
    real = Path(os.path.realpath(link))
    return not to.startswith("/") and Path(way).is_relative_to(top) and real.is_relative_to(os.path.realpath(root))


def remove(folder: Path) -> bool:
    """Remove a folder with folders in it that are read-only or nested without end; whether it is gone."""
    if folder.is_symlink():
        folder.unlink()
        return True
    try:
        shutil.rmtree(folder)
    except (OSError, RecursionError) as error:
        if getattr(error, "errno", None) != errno.ENOENT:
            for program in (["chmod", "-R", "u+rwX"], ["rm", "-rf"]):
                with suppress(FileNotFoundError):
                    run([*program, "--", str(folder)], cwd=Path("/"))
    return not os.path.lexists(folder)
