"""The digest chain of a run: the sha256 of every stored file, what was tested, and one digest of it all.

It stands in `digests.json` once a run has ended, so that a run without is an unfinished one. Hidden files, which killed
runs leave and nothing reads, are no part of it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from skillcheck.errors import SkillcheckError
from skillcheck.evals.store.store import DIGESTS, about, loaded
from skillcheck.evals.workspace import digest, tree
from skillcheck.replace import replace

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

VERSION = 1
"""Raised when digests.json itself changes, not with other files: it is a part of the digest of older runs too."""
TESTED = (
    "skills", "cases", "fixtures", "tasks", "task_set", "task_set_digest", "images",
    "harness", "harness_version", "commands", "model",
)  # fmt: skip
"""What run.json says of what was tested and by whom, as far as a kind of run has it."""


class Chain(NamedTuple):
    """`files` are the digests of a run's files by path, in hex; `tested` is what run.json says under these names.

    `run` is the digest of all of it, as it is written down.
    """

    files: dict[str, str]
    tested: dict[str, Any]
    run: str

    def below(self, folder: str) -> dict[str, str]:
        """The files below a folder of the run, by their paths in it."""
        return {
            path.removeprefix(f"{folder}/"): each for path, each in self.files.items() if path.startswith(f"{folder}/")
        }

    @property
    def whole(self) -> str:
        """What `run` should be: the sha256, in hex, of the rest as canonical JSON."""
        return digest.of_value(self._body)

    @property
    def text(self) -> str:
        """What digests.json holds."""
        return digest.canonical({**self._body, "run": self.whole}) + "\n"

    @property
    def _body(self) -> dict[str, Any]:
        return {"schema_version": VERSION, "files": self.files, "tested": self.tested}


def of(run: Path) -> Chain:
    """The chain of a run as it lies there. Raises SkillcheckError for a folder that can't be listed."""
    try:
        files = dict(sorted(_files(run)))
    except OSError as error:
        message = f"{error.filename or run} can't be read: {error.strerror}"
        raise SkillcheckError(message) from error
    chain = Chain(files, _tested(run), "")
    return chain._replace(run=chain.whole)


def _tested(run: Path) -> dict[str, Any]:
    try:
        told = about(run)
        tested = {name: told[name] for name in TESTED if name in told}
        digest.canonical(tested)
    except (SkillcheckError, ValueError):  # what is wrong with run.json shows in its digest
        return {}
    return tested


def _files(run: Path) -> Iterator[tuple[str, str]]:
    for entry in tree.entries(run):
        path = os.path.relpath(entry.path, run).replace(os.sep, "/")
        if path != DIGESTS and not any(part.startswith(".") for part in path.split("/")):
            yield os.fsencode(path).decode("utf-8", "backslashreplace"), _digest(run / path)


def _digest(path: Path) -> str:
    """The sha256 of a file, or a word for what has none."""
    if path.is_symlink() or not path.is_file():
        return "no file"
    try:
        return digest.of_file(path)
    except OSError:
        return "unreadable"


def read(run: Path) -> Chain | None:
    """The chain that stands in a run, None where none does. Raises SkillcheckError for one that can't be read."""
    path = run / DIGESTS
    if not os.path.lexists(path):
        return None
    chain: Chain = loaded(path, Chain)
    try:
        digest.canonical(chain.tested)
    except ValueError as error:
        message = f"{path} can't be read: it holds NaN or an infinity"
        raise SkillcheckError(message) from error
    return chain


def is_as_left(folder: Path, run: Path) -> bool:
    """Whether the files of a trial's folder are those of its run's chain; so they are where the run never ended."""
    try:
        before = read(run)
    except SkillcheckError:
        return False
    if before is None:
        return True
    return before.below(folder.relative_to(run).as_posix()) == dict(_files(folder))


def checked(run: Path) -> tuple[Chain, str]:
    """The chain of a run as it lies there, and what is wrong with that; empty where it is as it was left.

    Raises SkillcheckError where either can't be read.
    """
    now, before = of(run), read(run)
    if before is None:
        return now, "is unfinished"
    return now, "" if before == now else "is not as it was left"


def seal(run: Path, changes: Changes | None = None) -> tuple[str, ...]:
    """Write the chain of a run that has ended, at one stroke; returns what hindered that, since nothing else is lost.

    `changes` is what had been edited before a run was graded again: grading hides no edit.
    """
    try:
        chain = of(run)
        replace(run / DIGESTS, (changes.kept(chain) if changes else chain).text)
    except SkillcheckError as error:
        return (f"the run has no digests: {error}",)
    return ()


class Changes(NamedTuple):
    """A chain as it was written, and the one that the same folder had later."""

    before: Chain
    after: Chain

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that aren't what they were, in order."""
        both = self.before.files.keys() | self.after.files.keys()
        return tuple(sorted(path for path in both if self.before.files.get(path) != self.after.files.get(path)))

    def kept(self, now: Chain) -> Chain:
        """The chain of today, in which what had been changed is still told by its first digest."""
        changed = self.paths
        files = {path: each for path, each in now.files.items() if path not in changed}
        files.update({path: self.before.files[path] for path in changed if path in self.before.files})
        return Chain(files, self.before.tested, "")


def unseal(run: Path) -> Changes | None:
    """Take a run's chain away before the run is changed, so that it counts as unfinished until it is sealed again.

    Returns what had been changed since; None where there was no chain that can be read. Raises SkillcheckError where
    the run can't be changed.
    """
    try:
        before = read(run)
    except SkillcheckError:
        before = None
    changes = Changes(before, of(run)) if before else None
    try:
        (run / DIGESTS).unlink(missing_ok=True)
    except OSError as error:
        message = f"{run / DIGESTS} can't be removed: {error.strerror}"
        raise SkillcheckError(message) from error
    return changes
