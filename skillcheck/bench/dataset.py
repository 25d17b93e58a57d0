"""Where tasks come from: folders, and a zip that is fetched for one run."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from skillcheck.bench import archive
from skillcheck.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_GENERIC = frozenset({"tasks", "."})
"""Names of folders that say nothing of the set."""


@contextmanager
def opened(folders: Sequence[str], zip_url: str = "") -> Iterator[Mapping[Path, str]]:
    """The folders of data sets and tasks, absolute, with what users call them; a zip's is gone afterwards.

    Raises UsageError where nothing is named, for a folder that isn't there, and as `archive.fetch` and `unpack` do.
    """
    roots = {Path(os.path.abspath(folder)): folder for folder in folders}  # noqa: PTH100 - a link keeps its own name
    for root, shown in roots.items():
        if not root.is_dir():
            message = f"{shown!r} is no folder; name a task, or a folder with tasks"
            raise UsageError(message)
    if not zip_url:
        if not roots:
            message = "no tasks: name their folders, or take --dataset-source-dir or --dataset-zip-url"
            raise UsageError(message)
        yield roots
        return
    name = Path(urlsplit(zip_url).path).name
    with tempfile.TemporaryDirectory() as home:
        file, folder = Path(home) / (name or "tasks.zip"), Path(home) / "unpacked" / Path(name).stem
        folder.parent.mkdir()
        archive.fetch(zip_url, file)
        archive.unpack(file, folder)
        yield {**roots, _top(folder): name}


def _top(folder: Path) -> Path:
    """The one folder that all of an archive lies in, as in those of GitHub, or the whole."""
    inside = list(folder.iterdir())
    return inside[0] if len(inside) == 1 and inside[0].is_dir() and inside[0].name not in _GENERIC else folder


def name_of(roots: Sequence[Path]) -> str:
    """What a set of tasks is called: as its folder, the last part that says something."""
    names = {next((part for part in reversed(root.parts) if part not in _GENERIC), "tasks") for root in roots}
    return names.pop() if len(names) == 1 else "tasks"
