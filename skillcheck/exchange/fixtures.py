"""The files of imported evals on their way to evals/fixtures/: judged, given a place, and copied."""

from __future__ import annotations

import os
import posixpath
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from skillcheck.catalog.files import Files, outside
from skillcheck.diagnostic import clipped
from skillcheck.errors import UsageError
from skillcheck.evals.workspace import digest, fixture, tree
from skillcheck.exchange.importer import Note, place
from skillcheck.replace import replace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.exchange.importer import Input

_LONGEST = 255
"""How many bytes the name of a file or folder may have: NAME_MAX of Linux and macOS."""


class Copy(NamedTuple):
    """A fixture to make: of a file or folder, or of a text."""

    source: Path | None
    text: str = ""

    @property
    def digest(self) -> str:
        """Equal for two that hold the same."""
        return digest.of_tree(self.source) if self.source else digest.of_value(self.text)

    def equals(self, path: Path) -> bool:
        """Whether what stands at a path holds the same."""
        if self.source is None:
            return path.is_file() and path.read_bytes() == self.text.encode()
        return digest.of_tree(path) == self.digest


@dataclass(frozen=True, slots=True)
class Fixtures:
    """The folder of all fixtures, and what will be copied there, by posix path."""

    folder: Path
    copies: dict[str, Copy] = field(default_factory=dict)

    def place(self, each: Input, skill: str) -> str:
        """Give a file a place: that of the source, since prompts speak of it, or another where a file has that."""
        copy = Copy(None, each.text) if each.source is None else Copy(Path(os.path.realpath(each.source)))
        name = next(name for name in _names(posixpath.normpath(each.path), skill) if self._is_free(name, copy))
        self.copies.setdefault(name, copy)
        return name

    def write(self) -> None:
        """Make them all; what is there stays as it is. Raises UsageError where that can't be."""
        for name, copy in self.copies.items():
            target = self.folder / name
            try:
                if copy.source is None:
                    replace(target, copy.text)
                else:
                    target.parent.mkdir(parents=True, exist_ok=True)
                    tree.copy(copy.source, target, fixture.SKIPPED)
            except OSError as error:
                message = f"{target} can't be written: {error.strerror or error}"
                raise UsageError(message) from error

    def _is_free(self, name: str, copy: Copy) -> bool:
        """Whether a place is empty, or the same stands there; a link on the way is never followed."""
        taken = self.copies.get(name)
        if taken is not None:
            return taken == copy or taken.digest == copy.digest
        way = [self.folder / name, *(self.folder / above for above in Path(name).parents)][:-1]
        if any(path.is_symlink() or (path.exists() and not path.is_dir()) for path in way[1:]):
            return False
        return not os.path.lexists(way[0]) or (not way[0].is_symlink() and copy.equals(way[0]))


def fault(each: Input) -> Note | None:
    """Why a file can't be carried over; None if it can."""
    reason = outside(each.path)
    if reason:
        return _note(each, "escaping-file", f"leaves the workspace: {reason}")
    if "\0" in each.path:
        return _note(each, "missing-file", "does not exist: no file's name has a NUL")
    if is_too_long(each.path):
        return _note(each, "missing-file", f"does not exist: no file's name has more than {_LONGEST} bytes")
    return None if each.source is None else _source_fault(each, each.source)


def is_too_long(path: str) -> bool:
    """Whether a name in a path is longer than file systems allow."""
    return any(len(name.encode("utf-8", "surrogatepass")) > _LONGEST for name in path.split("/"))


def _source_fault(each: Input, source: Path) -> Note | None:
    real, home = Path(os.path.realpath(source)), Path(os.path.realpath(each.home))
    files = Files(home)
    if not real.is_relative_to(home):
        return _note(each, "escaping-file", f"leads out of {each.home.name!r}")
    if not files.arrives(real):
        return _note(each, "missing-file", "does not exist")
    if files.is_empty_folder(real):
        return _note(each, "missing-file", "is an empty folder")
    link = files.escape(real, home) if real.is_dir() else None
    if link:
        return _note(each, "escaping-file", f"holds the link {link.name!r}, which leads outside")
    wrong = next(tree.faults(real, fixture.SKIPPED), None)
    return _note(each, "missing-file", f"can't be copied: {wrong[0]!r}: {wrong[1]}") if wrong else None


def _note(each: Input, rule: str, what: str) -> Note:
    return Note(each.entry, rule, f"{place(each.entry)}: {clipped(each.path, 200)!r} {what}")


def _names(plain: str, skill: str) -> Iterator[str]:
    yield plain
    yield f"{skill}/{plain}"
    yield from (f"{skill}/{number}/{plain}" for number in range(2, 1 << 30))
