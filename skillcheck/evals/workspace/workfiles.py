"""What an agent left in its workspace, looked at so that nothing there leads us astray.

A link counts as what it leads to, unless that is outside; only regular files are ever opened.
"""

from __future__ import annotations

import os
import posixpath
import re
import stat
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

READ_LIMIT = 16 << 20
"""How much of a file is read, in bytes."""

FILE = "a file"
_LISTED = 5
_SHOWN = 80
_WILD = re.compile(r"[*?\[]")


class Content(NamedTuple):
    """A file's bytes, at most READ_LIMIT of them. `problem` says why there are none, `cut` how many were left out."""

    data: bytes
    problem: str = ""
    cut: str = ""


def look(root: Path, path: str) -> str:
    """What stands at a path, in words that follow "it is": FILE or something else; empty for nothing."""
    full = os.path.join(root, path)  # noqa: PTH118 - pathlib would drop what links make of dots
    real = Path(os.path.realpath(full))
    if not real.is_relative_to(os.path.realpath(root)):
        return "a link that leads outside"
    try:
        mode = real.stat().st_mode
    except PermissionError:
        return "something that may not be looked at"
    except OSError:
        return "a link to nothing" if os.path.islink(full) else ""  # noqa: PTH114 - see above
    if stat.S_ISREG(mode):
        return FILE
    return "a folder" if stat.S_ISDIR(mode) else "neither a file nor a folder"


def describe(path: str, what: str) -> str:
    """What `look` saw at a path, as a sentence."""
    return f"{quoted(path)} is {what}" if what else f"there is no {quoted(path)}"


def read(root: Path, path: str) -> Content:
    """The beginning of a file."""
    what = look(root, path)
    if what != FILE:
        return Content(b"", describe(path, what))
    try:
        with (root / path).open("rb") as file:
            data = file.read(READ_LIMIT)
            size = os.fstat(file.fileno()).st_size
    except OSError as error:
        return Content(b"", f"{quoted(path)} can't be read: {error.strerror}")
    cut = f"; only the first {READ_LIMIT:,} of its {size:,} bytes were read" if size > READ_LIMIT else ""
    return Content(data, cut=cut)


def find(root: Path, glob: str) -> dict[str, str]:
    """What stands at the paths that a glob with wildcards fits, by path. Links are not entered, nor is `.git`."""
    if not _WILD.search(glob):
        return {}
    return {path: look(root, path) for path in _walk(root) if fits(path, glob)}


def _walk(root: Path) -> Iterator[str]:
    todo = [""]
    while todo:
        prefix = todo.pop()
        try:
            with os.scandir(root / prefix) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError:
            continue
        yield from (prefix + entry.name for entry in entries)
        folders = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
        todo += [f"{prefix}{name}/" for name in reversed(folders) if name != ".git"]


def fits(path: str, glob: str) -> bool:
    """Whether a relative posix path fits a glob, as a shell reads it.

    `*`, `?` and `[…]` stand for characters of one name and `**` for any folders between; at the end it stands for all
    that is inside. None of them stands for a dot that a name begins with.
    """
    names, parts = path.split("/"), posixpath.normpath(glob).split("/")
    reached = {0}  # how many names the parts so far can stand for
    for place, part in enumerate(parts, 1):
        if part == "**":
            least = int(place == len(parts))
            reached = {end for start in reached for end in _ends(names, start) if end >= start + least}
        else:
            reached = {start + 1 for start in reached if start < len(names) and _name_fits(names[start], part)}
    return len(names) in reached


def _ends(names: list[str], start: int) -> range:
    hidden = (index for index in range(start, len(names)) if names[index].startswith("."))
    return range(start, next(hidden, len(names)) + 1)


def _name_fits(name: str, part: str) -> bool:
    return fnmatchcase(name, part) and (part.startswith(".") or not name.startswith("."))


def quoted(path: str) -> str:
    """A path as messages quote it; odd bytes are escaped."""
    return repr(path if len(path) <= _SHOWN else path[:_SHOWN] + "…")


def listed(names: Iterable[str]) -> str:
    """The first few names, and how many more there are."""
    every = tuple(names)
    more = f" and {len(every) - _LISTED} more" if len(every) > _LISTED else ""
    return ", ".join(every[:_LISTED]) + more
