"""Find skill files below folders: nested groups, one skill a folder, every real folder once."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from skillcheck.catalog.fault import Fault
from skillcheck.catalog.files import lies_in
from skillcheck.diagnostic import Problem
from skillcheck.span import START

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SKILL_FILE = "SKILL.md"
NEVER = frozenset({
    ".git", ".hg", ".jj", ".svn", ".tox", ".nox", ".venv", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".worktrees",
    "__pycache__", "node_modules", "bower_components", "site-packages",
})  # fmt: skip
UNLESS_A_SKILL = frozenset({"build", "dist", "out", "target", "third_party", "vendor", "venv", "worktrees"})
SUPPORT = frozenset({"assets", "common", "docs", "examples", "lib", "references", "scripts", "shared", "templates"})


class Discovered(NamedTuple):
    """Skill files in path order, and what was odd on the way, by path. Nested skill files are odd, not skills."""

    files: list[Path]
    faults: list[tuple[Path, Fault]]


@dataclass(slots=True)
class _Folder:
    """A folder on the way: the skill it belongs to, whether a root holds it, whether a skill is in it or below."""

    path: Path
    real: str
    parent: _Folder | None = None
    skill: Path | None = None
    in_root: bool = False
    inside: bool = True
    holds_skill: bool = False


def is_skill_file(name: str) -> bool:
    """Whether a name is SKILL.md in any case."""
    return name.lower() == "skill.md"


def skill_file(folder: Path) -> Path | None:
    """The skill file of a folder, with its true name; SKILL.md wins over other cases."""
    try:
        names = sorted(name for name in os.listdir(folder) if is_skill_file(name))
    except OSError:
        return None
    return folder / (SKILL_FILE if SKILL_FILE in names else names[0]) if names else None


def discover(
    starts: Sequence[Path],
    *,
    roots: Iterable[Path],
    skip: Iterable[Path] = (),
    inside: frozenset[str] | None = None,
    git: Path | None = None,
) -> Discovered:
    """Walk `starts`, absolute folders, following links to folders once by real path.

    `roots` are the folders that ought to hold nothing but skills and groups of them; any folder called `skills` is one
    too. `skip` are folders to leave out. Only skills in the folders `inside` are looked into, if any are given: of the
    others nothing but the SKILL.md is found. `git` is the root of the repository whose ignored folders are left out.
    """
    walk = _Walk(frozenset(roots), frozenset(skip), inside)
    for start in starts:
        in_root = start in walk.roots or start.name == "skills"
        is_inside = inside is None or lies_in(str(start), inside)
        walk.visit(_Folder(start, os.path.realpath(start), in_root=in_root, inside=is_inside))
    walk.follow_links()
    walk.note_strays()
    found = walk.found
    if git is None:
        return Discovered(sorted(found.files), found.faults)
    ignored = _ignored(git, (*found.files, *(path for path, _ in found.faults)))
    return Discovered(
        sorted(path for path in found.files if path not in ignored),
        [(path, fault) for path, fault in found.faults if path not in ignored],
    )


class _Walk:
    """One walk: what it found, where it was, and the links that it still has to follow."""

    def __init__(self, roots: frozenset[Path], skip: frozenset[Path], inside: frozenset[str] | None) -> None:
        self.roots = roots
        self.skip = skip
        self.inside = inside
        self.found = Discovered([], [])
        self.seen: set[str] = set()
        self.links: list[_Folder] = []
        self.folders: list[_Folder] = []

    def visit(self, start: _Folder) -> None:
        """Walk one tree without recursion, in name order; links to folders are put off."""
        todo = [start]
        while todo:
            folder = todo.pop()
            if folder.real not in self.seen:
                self.seen.add(folder.real)
                todo.extend(reversed(self._enter(folder)))

    def follow_links(self) -> None:
        """Visit linked folders after all real ones, so that a folder keeps its own name."""
        while self.links:
            self.visit(self.links.pop(0))

    def _enter(self, folder: _Folder) -> list[_Folder]:
        try:
            with os.scandir(folder.path) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            self._fault(folder.path, "unreadable-file", f"the folder can't be read: {error.strerror}")
            return []
        if any(e.name == ".git" and e.is_file() and _is_worktree(e.path) for e in entries) and folder.parent:
            return []
        self._take_skill(folder, [e for e in entries if is_skill_file(e.name)])
        self.folders.append(folder)
        if folder.skill and not folder.inside:
            return []
        return [inner for entry in entries if (inner := self._inner(folder, entry))]

    def _take_skill(self, folder: _Folder, entries: list[os.DirEntry[str]]) -> None:
        if not entries:
            return
        entry = next((e for e in entries if e.name == SKILL_FILE), entries[0])
        path = folder.path / entry.name
        above: _Folder | None = folder
        while above:
            above.holds_skill = True
            above = above.parent
        if entry.is_symlink() and not os.path.exists(path):  # noqa: PTH110 - see _inner
            return
        if folder.skill is None:
            self.found.files.append(path)
            # A SKILL.md beside the skills is one more skill; it doesn't swallow them.
            folder.skill = None if folder.path in self.roots else path
        else:
            hint = f"hosts load {folder.skill.parent.name!r} and take this file for one of its references"
            self._fault(path, "nested-skill", "a skill inside another skill is not loaded", hint)

    def _inner(self, folder: _Folder, entry: os.DirEntry[str]) -> _Folder | None:
        link = entry.is_symlink()
        if not link and not entry.is_dir():
            return None
        path = folder.path / entry.name
        if link and not os.path.exists(path):  # noqa: PTH110 - Path.exists raises where it may not look
            self._fault(path, "dangling-link", _dangling(path))
            return None
        if link and not os.path.isdir(path):  # noqa: PTH112 - as above
            return None
        if entry.name in NEVER or path in self.skip or (entry.name in UNLESS_A_SKILL and skill_file(path) is None):
            return None
        real = os.path.realpath(path) if link else os.path.join(folder.real, entry.name)  # noqa: PTH118 - a string
        in_root = path in self.roots or entry.name == "skills" or folder.in_root
        inside = folder.inside or (self.inside is not None and str(path) in self.inside)
        inner = _Folder(path, real, folder, folder.skill, in_root, inside)
        if link:
            self.links.append(inner)
            return None
        return inner

    def note_strays(self) -> None:
        """Folders of a skills root without a skill in them or below, topmost only."""
        for folder in self.folders:
            parent = folder.parent
            if not (parent and parent.in_root and parent.skill is None) or folder.holds_skill:
                continue
            if parent.holds_skill and folder.path.name[:1] not in "._" and folder.path.name not in SUPPORT:
                hint = "add a SKILL.md, or begin the name with _ if the folder is shared by skills"
                self._fault(folder.path, "stray-directory", "no SKILL.md in this folder or below it", hint)

    def _fault(self, path: Path, rule: str, message: str, hint: str = "") -> None:
        self.found.faults.append((path, Fault(rule, Problem(START, message, hint))))


def _is_worktree(path: str) -> bool:
    try:
        return "/worktrees/" in Path(path).read_text("utf-8", "replace").replace("\\", "/")
    except OSError:
        return False


def _dangling(path: Path) -> str:
    try:
        target = str(path.readlink())
    except OSError as error:
        return f"the link can't be read: {error.strerror}"
    try:
        os.stat(path)  # noqa: PTH116 - only the error is of interest
    except OSError as error:
        if error.errno == errno.ELOOP:
            return f"the link to {target!r} leads back to itself"
    return f"the link points to {target!r}, which does not exist"


def _ignored(git: Path, paths: Iterable[Path]) -> frozenset[Path]:
    """Those of `paths` that git ignores: tracked ones never are, untracked ones may be. None without git.

    git looks neither through links nor into repositories inside of this one, so it is asked about those themselves.
    """
    asked: dict[Path, list[Path]] = {}
    stops: dict[Path, bool] = {}
    for path in paths:
        if path.is_relative_to(git) and path != git:
            asked.setdefault(_first_stop(git, path, stops), []).append(path)
    names = b"".join(os.fsencode(path) + b"\0" for path in asked)
    if not names:
        return frozenset()
    try:
        from skillcheck import process  # noqa: PLC0415 - outside a repository nobody asks git

        done = process.run(("git", "check-ignore", "-z", "--stdin"), cwd=git, stdin=names)
    except FileNotFoundError:
        return frozenset()
    found = (Path(os.fsdecode(name)) for name in done.stdout.split(b"\0") if name)
    return frozenset(path for place in found for path in asked.get(place, ()))


def _first_stop(git: Path, path: Path, known: dict[Path, bool]) -> Path:
    """The first link or repository on the way to a path, or the path."""
    way = git
    for part in path.relative_to(git).parts[:-1]:
        way /= part
        if way not in known:
            known[way] = way.is_symlink() or (way / ".git").exists()
        if known[way]:
            return way
    return path
