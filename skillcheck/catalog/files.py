"""Which files there are, by their exact names on any file system. Folders are listed once, when first asked about."""

from __future__ import annotations

import os
import posixpath
import re
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from skillcheck.diagnostic import relative

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

READ_LIMIT = 1 << 20
TREE_LIMIT = 2000
_ELSEWHERE = re.compile(r"/|~(?:/|\Z)|[A-Za-z]:|.*\\", re.DOTALL)


class Found(NamedTuple):
    """The answer about a path: `actual` is its true spelling where the case differs; `outside` is past the boundary."""

    exists: bool
    actual: Path | None = None
    outside: bool = False


@dataclass(slots=True)
class Files:
    """The tree below `boundary`, the repository's root: nothing above it is ever looked at."""

    boundary: Path
    _listings: dict[Path, dict[str, str]] = field(default_factory=dict, repr=False)
    _texts: dict[Path, str | None] = field(default_factory=dict, repr=False)

    def look(self, path: Path) -> Found:
        """Whether an absolute path exists with exactly this spelling (NFC and NFD count as the same)."""
        parts, above = Path(os.path.normpath(path)).parts, self.boundary.parts
        if parts[: len(above)] != above:  # Path.is_relative_to takes time that grows with the square of the depth
            return Found(exists=False, outside=True)
        here, exact = self.boundary, True
        for part in parts[len(above) :]:
            names = self._names(here)
            true = names.get(_nfc(part)) or names.get(_fold(part))
            if true is None:
                return Found(exists=False)
            exact = exact and _nfc(true) == _nfc(part)
            here /= true
        return Found(exists=True, actual=None if exact else here)

    def names(self, folder: Path) -> tuple[str, ...]:
        """The names in a folder, sorted; none if it can't be listed."""
        return tuple(sorted(set(self._names(folder).values())))

    def tree(self, folder: Path, ends: Callable[[str], bool], limit: int = TREE_LIMIT) -> tuple[str, ...]:
        """The files below a folder as posix paths relative to it, in the order of a walk, at most `limit` of them.

        Hidden folders and links to folders are not entered, nor is a folder below for a name in which `ends` is true.
        """
        found: list[str] = []
        todo = [""]
        while todo and len(found) < limit:
            inner = todo.pop()
            files, folders = _listed(folder / inner)
            if inner and any(map(ends, (*files, inner.rpartition("/")[2]))):
                continue
            prefix = f"{inner}/" if inner else ""
            found += [prefix + name for name in files]
            todo += [prefix + name for name in reversed(folders) if not name.startswith(".")]
        return tuple(found[:limit])

    def read(self, path: Path) -> str | None:
        """The text of a file of at most 1 MiB; None if it is no UTF-8 text that can be read."""
        if path not in self._texts:
            self._texts[path] = _read(path)
        return self._texts[path]

    def arrives(self, path: Path) -> bool:
        """Whether something stands at a path once its links are followed."""
        return os.path.exists(path)  # noqa: PTH110 - Path.exists raises where a folder on the way can't be entered

    def is_empty_folder(self, path: Path) -> bool:
        """Whether a path is a folder that holds nothing."""
        return path.is_dir() and not self.names(path)

    def is_program(self, path: Path) -> bool:
        """Whether a path is a file that may be run."""
        return os.path.isfile(path) and os.access(path, os.X_OK)  # noqa: PTH113 - see arrives

    def escape(self, path: Path, home: Path) -> Path | None:
        """The first link at or below `path` that leads out of `home`; None if all stay. Folders are listed anew."""
        real = os.path.realpath(home)
        todo = [path]
        if not Path(os.path.realpath(path)).is_relative_to(real):
            return path
        while todo:
            try:
                with os.scandir(todo.pop()) as listing:
                    entries = sorted(listing, key=lambda entry: entry.name)
            except OSError:
                continue
            for entry in entries:
                if entry.is_symlink() and not Path(os.path.realpath(entry.path)).is_relative_to(real):
                    return Path(entry.path)
            todo += [Path(entry.path) for entry in reversed(entries) if entry.is_dir(follow_symlinks=False)]
        return None

    def _names(self, folder: Path) -> dict[str, str]:
        """True names by their NFC form and, where no other name has it, by their folded form."""
        if folder not in self._listings:
            try:
                found = sorted(os.listdir(folder))
            except OSError:
                found = []
            self._listings[folder] = {_fold(name): name for name in found} | {_nfc(name): name for name in found}
        return self._listings[folder]


def _listed(folder: Path) -> tuple[list[str], list[str]]:
    """Names of the files and of the folders in a folder, sorted; links to folders are neither."""
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError:
        return [], []
    folders = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    return [entry.name for entry in entries if entry.is_file()], folders


def _read(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            data = file.read(READ_LIMIT + 1)
        return data.decode("utf-8-sig") if len(data) <= READ_LIMIT else None
    except (OSError, UnicodeDecodeError):
        return None


def _nfc(name: str) -> str:
    return name if name.isascii() else unicodedata.normalize("NFC", name)


def _fold(name: str) -> str:
    return _nfc(name).casefold()


def outside(path: str) -> str:
    """Why a path, as it is written, names nothing inside the folder that it is relative to; empty if it does."""
    if _ELSEWHERE.match(path):
        return "it has a backslash" if "\\" in path else "it is not relative"
    plain = posixpath.normpath(path)
    if plain == ".":
        return "it is the whole folder"
    return "it goes upward" if plain == ".." or plain.startswith("../") else ""


def lies_in(path: str, folders: Iterable[str]) -> bool:
    """Whether a path is one of some folders or lies in one; all are absolute and without dots."""
    return any(path == folder or path.startswith(folder.rstrip(os.sep) + os.sep) for folder in folders)


def shown(path: Path, base: Path) -> str:
    """A path as users read it: posix, relative to where they stand; bytes that are no UTF-8 are escaped."""
    return relative(path, base).encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
