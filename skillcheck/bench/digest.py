"""Digests of tasks, as BenchFlow publishes them, so that a registry of theirs can be checked, and ours by them."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from skillcheck.evals.workspace.digest import PREFIX

NOT_COUNTED = ".benchflow-source.json"
"""What BenchFlow writes beside a task to say where it came from."""


def of_task(folder: Path) -> str:
    """The digest of a task's folder: the relative posix path, NUL and sha256 of each regular file, sorted by path.

    Links and modes don't count, nor do empty folders. Files are read in pieces. Raises OSError for one that can't be.
    """
    whole = hashlib.sha256()
    for relative, file in sorted(_files(folder)):
        with file.open("rb") as opened:
            content = hashlib.file_digest(opened, hashlib.sha256).digest()
        whole.update(os.fsencode(relative) + b"\0" + content)
    return PREFIX + whole.hexdigest()


def _files(folder: Path) -> list[tuple[str, Path]]:
    return [
        (path.relative_to(folder).as_posix(), path)
        for home, _, names in os.walk(folder, onerror=_refuse)
        for name in names
        if name != NOT_COUNTED and not (path := Path(home) / name).is_symlink() and path.is_file()
    ]


def _refuse(error: OSError) -> None:
    raise error
