"""Which files there are, by their exact names on any file system. Folders are listed once, when first asked about."""

from __future__ import annotations

import os
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Found:
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
        path = Path(os.path.normpath(path))
        if not path.is_relative_to(self.boundary):
            return Found(exists=False, outside=True)
        here, exact = self.boundary, True
        for part in path.relative_to(self.boundary).parts:
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

    def read(self, path: Path) -> str | None:
        """The text of a file; None if it is no UTF-8 text that can be read."""
        if path not in self._texts:
            try:
                self._texts[path] = path.read_bytes().decode("utf-8-sig")
            except (OSError, UnicodeDecodeError):
                self._texts[path] = None
        return self._texts[path]

    def _names(self, folder: Path) -> dict[str, str]:
        """True names by their NFC form and, where no other name has it, by their folded form."""
        if folder not in self._listings:
            try:
                found = sorted(os.listdir(folder))
            except OSError:
                found = []
            self._listings[folder] = {_fold(name): name for name in found} | {_nfc(name): name for name in found}
        return self._listings[folder]


def _nfc(name: str) -> str:
    return name if name.isascii() else unicodedata.normalize("NFC", name)


def _fold(name: str) -> str:
    return _nfc(name).casefold()
