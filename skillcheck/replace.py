"""Replace a user's file at one stroke, so that a killed run leaves the old text or the new, never half of either."""

from __future__ import annotations

import tempfile
from pathlib import Path

from skillcheck.errors import UsageError

NEW_FILE_MODE = 0o644
"""What git gives a file; an existing file keeps its own mode."""


def replace(path: Path, text: str, name: str | None = None) -> None:
    """Write a file through a temporary one beside it; folders are made as needed, and a link stays a link.

    Raises UsageError where that isn't allowed; `name` is what the message calls the file.
    """
    target = path.resolve()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = target.stat().st_mode if target.exists() else NEW_FILE_MODE
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        new = Path(temporary)
        try:
            with open(handle, "wb") as file:  # noqa: PTH123 - a handle has no path
                file.write(text.encode())
            new.chmod(mode)
            new.replace(target)
        finally:
            new.unlink(missing_ok=True)
    except OSError as error:
        message = f"{name or path} can't be written: {error.strerror}"
        raise UsageError(message) from error
