"""Replace a user's file at one stroke, so that a killed run leaves the old text or the new, never half of either."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from skillcheck.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

NEW_FILE_MODE = 0o644
"""What git gives a file; an existing file keeps its own mode."""


def replace(path: Path, text: str, name: str | None = None) -> None:
    """Write a text; see `replacing`."""
    with replacing(path, name) as file:
        file.write(text.encode())


@contextmanager
def replacing(path: Path, name: str | None = None) -> Iterator[IO[bytes]]:
    """A temporary file beside another, which takes its place at the end, and is gone after an error.

    Folders are made as needed, and a link stays a link. Raises UsageError where writing fails; `name` is what the
    message calls the file.
    """
    target = path.resolve()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = target.stat().st_mode if target.exists() else NEW_FILE_MODE
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        new = Path(temporary)
        try:
            with open(handle, "wb") as file:  # noqa: PTH123 - a handle has no path
                yield file
            new.chmod(mode)
            new.replace(target)
        finally:
            new.unlink(missing_ok=True)
    except OSError as error:
        message = f"{name or path} can't be written: {error.strerror}"
        raise UsageError(message) from error
