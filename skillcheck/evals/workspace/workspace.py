"""The folder of a single run: a small git repository to work in, a home, and what is handed over.

The temporary folder's name says whose it is, never what is tested. It is removed in every outcome; what a killed run
left, a later one removes.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from skillcheck.errors import SkillcheckError, UsageError
from skillcheck.evals.workspace import digest, fixture, git, state, tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from skillcheck.evals.workspace.state import State

PREFIX = "skillcheck-"
KEPT = "kept"
"""The file that says that somebody wants to look at the folder."""
BASELINE = "fixture baseline"
"""The message of the first commit."""

NOT_STAGED = frozenset({".git", "__pycache__", "/evals"})
"""What is no part of a skill: history, what running its scripts leaves, and answer keys; names as in `tree.entries`."""

_HEAD_FILES = ("HEAD", "index", "packed-refs")
_MAX_HEAD_BYTES = 10_000_000
_MAX_TOLD_BYTES = 32 << 10  # of status and log each
_TIMEOUT_S = 20  # an agent can make git wait for ever


class Staging(NamedTuple):
    """A skill to stage: its directory, and where it goes, as a posix path relative to the workspace."""

    source: Path
    at: str


class Snapshot(NamedTuple):
    """A workspace after the agent, compared with what it was handed.

    `patch` makes the one into the other (see `rebuild`); `diff` is the same for graders, cut to 256 KiB, and 32 KiB for
    each file. `changed` are posix paths relative to the workspace by git's letter (A, M, D), without the staged skill.
    `status` and `log` are git's, of the agent's own repository: what is uncommitted, and the agent's commits with their
    files, newest first; empty where there is no such thing. `notes` tell what is not in the patch.
    """

    diff: str
    patch: bytes
    changed: Mapping[str, str]
    status: str
    log: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Workspace:
    """One run's folders: the agent's `work` and `home`, and `handed` for what it may only read; all are in `root`.

    `skill_dirs` are where skills were staged. `notes` tell which of their files were left out. `baseline` is the id of
    the first commit, `start` what stood in `work` when the agent came, and `mark` the owner in the folder's name.
    """

    root: Path
    mark: str
    baseline: str
    start: State
    skill_dirs: tuple[Path, ...] = ()
    skill_digests: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def work(self) -> Path:
        """The agent's working directory."""
        return self.root / "work"

    @property
    def home(self) -> Path:
        """The agent's HOME; its TMPDIR is the folder `tmp` in it."""
        return self.root / "home"

    @property
    def handed(self) -> Path:
        """The folder of the prompt and what else is handed over as a file."""
        return self.root / "handed"

    def edited(self) -> bool:
        """Whether a staged skill is another than it was."""
        return tuple(map(digest.of_tree, self.skill_dirs)) != self.skill_digests

    def snapshot(self) -> Snapshot:
        """Compare with the start. Raises SkillcheckError where git fails, or the disk is full."""
        after = state.read(self.work, self.skill_dirs, self.start)
        changed = {os.fsdecode(path): letter for path, letter in self.start.changed(after).items()}
        with _told(), _temporary(self.mark) as scratch:
            patch = state.patch(self.start, after, scratch / "patch")
            status, log = self._told_by_git(scratch / "git")
        return Snapshot(state.shown(patch), patch, changed, status, log, after.notes)

    def _told_by_git(self, scratch: Path) -> tuple[str, str]:
        """Status and log, read with settings of our own: the agent's could start programs."""
        theirs = self.work / ".git"
        if self.work.is_symlink() or theirs.is_symlink() or not (theirs / "objects").is_dir():
            return "", ""
        git.init(scratch)
        (scratch / "info" / "exclude").write_text(_exclusion(self.skill_dirs, self.work), "utf-8")
        for source in (*(theirs / name for name in _HEAD_FILES), theirs / "refs"):
            with suppress(OSError):
                _copy_refs(source, scratch / source.name)
        objects = {"GIT_OBJECT_DIRECTORY": str(theirs / "objects")}
        since = ("log", "--ignore-missing", "--max-count=50", "--branches", "HEAD", f"^{self.baseline}")
        commands = (
            ("status", "--short", "--branch", "--ignore-submodules=all"),
            (*since, "--format=commit %h%d %an <%ae>%n%n%w(0,4,4)%B", "--name-status", "--no-renames"),
        )
        told = []
        for command in commands:
            try:
                out = git.run(scratch, *command, work=self.work, env=objects, timeout_s=_TIMEOUT_S)
            except SkillcheckError:
                out = b""
            told.append(out[:_MAX_TOLD_BYTES].decode("utf-8", "replace"))
        return told[0], told[1]


def _copy_refs(source: Path, target: Path) -> None:
    if source.is_symlink():
        return
    if source.is_dir():
        tree.copy(source, target)
    elif source.is_file() and source.stat().st_size <= _MAX_HEAD_BYTES:
        shutil.copyfile(source, target)


@contextmanager
def made(
    files: Sequence[str], fixtures: Path, *, mark: str, skills: Sequence[Staging] = (), keep: bool = False
) -> Iterator[Workspace]:
    """A workspace of the entries of an eval's `files`, as they are below `fixtures`; see `filled`.

    Raises UsageError for a fixture that can't be used too.
    """
    with filled(lambda work: fixture.copy(files, fixtures, work), mark=mark, skills=skills, keep=keep) as workspace:
        yield workspace


@contextmanager
def filled(
    fill: Callable[[Path], Iterable[fixture.Patch]], *, mark: str, skills: Sequence[Staging] = (), keep: bool = False
) -> Iterator[Workspace]:
    """Make a workspace, and remove it at the end unless it is to be kept.

    What `fill` puts into its folder is committed; then the patches that it returns are applied and the skills' whole
    directories are staged, which git is told to ignore. `mark` is `sandbox.new_mark()`'s, for `remove_abandoned`.

    Raises UsageError for a patch or skill that can't be used, SkillcheckError where git or the disk fails, and what
    `fill` raises.
    """
    with _temporary(mark, keep=keep) as root:
        with _told():
            workspace = _set_up(root, mark, fill, skills)
        yield workspace


@contextmanager
def rebuild(files: Sequence[str], fixtures: Path, patch: bytes, *, mark: str) -> Iterator[Workspace]:
    """The workspace as the agent left it, from the fixture and a stored patch.

    The agent's commits are not made again: what it did stands there uncommitted. Raises what `made` does, also where
    the fixture has changed so that the patch doesn't fit.
    """
    with made(files, fixtures, mark=mark) as workspace:
        with _told(), _temporary(mark) as scratch:
            state.apply(patch, workspace.work, scratch / "patch")
        yield workspace


def remove_abandoned(is_abandoned: Callable[[str], bool]) -> int:
    """Remove the workspaces of runs that were killed, by their mark; returns how many."""
    removed = 0
    with suppress(OSError):
        for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*-*"):
            mark = path.name.removeprefix(PREFIX).rpartition("-")[0]
            ours = path.lstat().st_uid == os.getuid() and path.is_dir() and not path.is_symlink()
            if mark and ours and is_abandoned(mark) and not (path / KEPT).exists():
                removed += tree.remove(path)
    return removed


@contextmanager
def _temporary(mark: str, *, keep: bool = False) -> Iterator[Path]:
    try:
        root = Path(os.path.realpath(tempfile.mkdtemp(prefix=f"{PREFIX}{mark}-")))
    except OSError as error:
        message = f"no temporary folder can be made: {error.strerror}: {error.filename or tempfile.gettempdir()}"
        raise SkillcheckError(message) from error
    try:
        yield root
    finally:
        if keep:
            (root / KEPT).touch()
        else:
            tree.remove(root)


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        message = f"the workspace can't be made: {error.strerror or error}: {error.filename!r}"
        raise SkillcheckError(message) from error


def _set_up(
    root: Path, mark: str, fill: Callable[[Path], Iterable[fixture.Patch]], skills: Sequence[Staging]
) -> Workspace:
    work = root / "work"
    for folder in (work, root / "home" / "tmp", root / "handed"):
        folder.mkdir(parents=True)
    skill_dirs = tuple(_place(skill.at, work) for skill in skills)
    patches = fill(work)
    is_filled = any(work.iterdir())
    repository = work / ".git"
    git.init(repository)
    (repository / "info" / "exclude").write_text(_exclusion(skill_dirs, work), "utf-8")
    if is_filled:
        git.run(repository, "add", "--all", work=work)
    git.run(repository, "commit", "--quiet", "--allow-empty", f"--message={BASELINE}", work=work)
    for patch in patches:
        _apply(patch, repository, work)
    notes = tuple(note for skill, place in zip(skills, skill_dirs, strict=True) for note in _stage(skill, place))
    skill_digests = tuple(map(digest.of_tree, skill_dirs))
    baseline = (repository / "refs/heads/main").read_text("utf-8").strip()
    return Workspace(root, mark, baseline, state.read(work, skill_dirs), skill_dirs, skill_digests, notes)


def _apply(patch: fixture.Patch, repository: Path, work: Path) -> None:
    try:
        git.run(repository, "apply", "--whitespace=nowarn", "-", work=work, stdin=patch.data)
    except SkillcheckError as error:
        message = f"{patch.name} does not apply to the fixture: {error}"
        raise UsageError(message) from error


def _place(at: str, work: Path) -> Path:
    parts = PurePosixPath(at).parts
    if not parts or ".." in parts or at.startswith("/") or parts[0] == ".git":
        message = f"no skill can be staged at {at!r}: it is no path inside the workspace"
        raise UsageError(message)
    return work.joinpath(*parts)


def _stage(skill: Staging, target: Path) -> tuple[str, ...]:
    """Copy the skill's directory; returns what was left out of it."""
    if os.path.lexists(target):
        message = f"the fixture has {skill.at!r} already, where the skill is staged"
        raise UsageError(message)
    if not skill.source.is_dir():
        message = f"the skill's folder {skill.source.name!r} is gone"
        raise UsageError(message)
    source = Path(os.path.realpath(skill.source))
    tree.copy(source, target, NOT_STAGED)
    return tuple(f"{path!r} was not staged: {reason}" for path, reason in tree.faults(source, NOT_STAGED))


def _exclusion(skill_dirs: Sequence[Path], work: Path) -> str:
    """The lines of git's exclude file that hide the staged skills."""
    paths = (path.relative_to(work).as_posix() for path in skill_dirs)
    return "".join("/" + re.sub(r"([\\*?\[\] ])", r"\\\1", path) + "/\n" for path in paths)
