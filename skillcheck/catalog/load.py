"""The only reader of skills, case files and commands: paths in, a Catalog out."""

from __future__ import annotations

import os
import stat
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from skillcheck.catalog.catalog import Catalog
from skillcheck.catalog.discover import SKILL_FILE, discover, is_skill_file, skill_file
from skillcheck.catalog.fault import Fault
from skillcheck.catalog.files import Files, lies_in, shown
from skillcheck.catalog.skill import Skill
from skillcheck.config import matches, repository
from skillcheck.diagnostic import Problem
from skillcheck.errors import UsageError
from skillcheck.span import BOM, START, Lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from skillcheck.catalog.cases import CaseFile
    from skillcheck.catalog.commands import Command
    from skillcheck.config import Config

# ruff: noqa: PTH112 - Path.is_dir raises where a folder on the way can't be entered
COMMAND_FOLDERS = ((".claude/commands", ".md"), (".gemini/commands", ".toml"), ("commands", ".toml"))
"""Where slash commands stand, relative to the catalog's root, and how their files end."""
USUAL_PLACES = (".claude/skills", ".agents/skills", ".github/skills", ".opencode/skills", ".cursor/skills", "plugins")
"""Where hosts look for skills beside skills/; they are read when they are named."""
MAX_SKILL_BYTES = 1 << 20
MAX_CASE_BYTES = 4 << 20
_BYTE_ORDER_MARKS = (
    (b"\xff\xfe\x00\x00", "UTF-32 little-endian"),
    (b"\x00\x00\xfe\xff", "UTF-32 big-endian"),
    (b"\xff\xfe", "UTF-16 little-endian"),
    (b"\xfe\xff", "UTF-16 big-endian"),
)


def load(paths: Sequence[Path], config: Config, base: Path) -> Catalog:
    """Read the catalog below `config.root`; `paths`, absolute, narrow what is reported to what lies in them.

    A SKILL.md among `paths` that settings exclude, or that is a fixture of evals, is left out: hooks name what a commit
    changes. Raises UsageError for a path that doesn't exist or can't be read, and when no skill is found.
    """
    scope, git = _scope(paths, config, base), repository(config.root)
    reals, faults = _find(scope, config, git)
    show = partial(shown, base=base)
    skills = tuple(sorted((read_skill(file, show(file)) for file in reals), key=lambda s: s.shown))
    selected = frozenset(s.shown for s in skills if scope.holds(s.path, reals[s.path]))
    if not selected and (scope.areas or not scope.left_out):
        raise UsageError(_nothing(paths, config, base))
    return Catalog(
        config=config,
        base=base,
        skills=skills,
        selected=selected,
        narrowed=bool(scope.singles or scope.left_out),
        left_out=tuple(map(show, scope.left_out)),
        faults=tuple((show(path), fault) for path, fault in faults if scope.holds(path, os.path.realpath(path))),
        files=Files(git or config.root),
        has_cases=os.path.isdir(config.root / config.cases),
        read_cases=lambda: tuple(_case_files(config, show)),
        read_commands=lambda: tuple(_commands(config.root, show)),
    )


class _Scope(NamedTuple):
    """What the caller named: skill files and folders that are reported, `areas` being all of these, and the rest.

    `whole` tells that nothing was named, so that all of the catalog is reported.
    """

    singles: tuple[Path, ...]
    folders: tuple[Path, ...]
    left_out: tuple[Path, ...]
    areas: frozenset[str]
    whole: bool

    def holds(self, path: Path, real: str) -> bool:
        """Whether a path, whose real one is known, is reported."""
        return self.whole or lies_in(str(path), self.areas) or lies_in(real, self.areas)


def _scope(paths: Sequence[Path], config: Config, base: Path) -> _Scope:
    named = dict.fromkeys(_named(path, shown(path, base)) for path in paths)
    unread = _areas(_unread(config))
    files = tuple(path for path in named if path.is_file())
    left_out = tuple(path for path in files if _within(path, unread) or _excluded(path, config))
    singles = tuple(path for path in files if path not in left_out)
    folders = tuple(path for path in named if path not in files)
    return _Scope(singles, folders, left_out, _areas((*folders, *(path.parent for path in singles))), whole=not paths)


def _find(scope: _Scope, config: Config, git: Path | None) -> tuple[dict[Path, str], list[tuple[Path, Fault]]]:
    """The skill files of the catalog and beside those that were named, each with the real path of its folder.

    With them comes what was odd on the way.
    """
    roots = tuple(config.root / path for path in config.paths)
    starts = tuple(path for path in roots if os.path.isdir(path))
    inside = scope.areas if scope.singles and not scope.folders else None
    found = discover((*starts, *scope.folders), roots=roots, skip=_unread(config), inside=inside, git=git)
    walked = _areas(starts)
    groups = dict.fromkeys(path.parent.parent for path in scope.singles if not _within(path, walked))
    neighbours = (file for group in groups for file in _children(group))
    files = {_real(file): file for file in (*neighbours, *found.files, *scope.singles)}
    return (
        {file: real for (real, _), file in files.items() if not _excluded(file, config)},
        [(path, fault) for path, fault in found.faults if not _excluded(path, config)],
    )


def _unread(config: Config) -> tuple[Path, ...]:
    """The folders of evals in which skills are other people's."""
    return tuple((config.root / config.cases).parent / name for name in ("fixtures", "results"))


def read_text(path: Path, limit: int) -> str | Fault:
    """The text of a UTF-8 file of at most `limit` bytes, byte-order mark and line ends as they are; or the fault."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            return Fault("unreadable-file", Problem(START, "not a regular file"))
        if status.st_size > limit:
            message = f"the file has {status.st_size:,} bytes, more than the {limit:,} that are read"
            return Fault("file-too-large", Problem(START, message, "move what is long into files that it links"))
        data = path.read_bytes()
    except OSError as error:
        return Fault("unreadable-file", Problem(START, f"the file can't be read: {error.strerror}"))
    return _decoded(data)


def _decoded(data: bytes) -> str | Fault:
    encoding = next((name for mark, name in _BYTE_ORDER_MARKS if data.startswith(mark)), None)
    if encoding:
        message = f"the file has a {encoding} byte-order mark; it must be UTF-8"
        return Fault("not-utf8", Problem(START, message, "save it as UTF-8"))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = Lines.of(data[: error.start].decode("utf-8").removeprefix(BOM))
        spot = before.span(len(before.text), len(before.text))
        what = "binary data" if b"\0" in data else f"byte 0x{data[error.start]:02X}"
        return Fault("not-utf8", Problem(spot, f"the file is not UTF-8: {what} here", "save it as UTF-8"))
    if "\0" in text:
        spot = Lines.of(text.removeprefix(BOM)).span(text.index("\0"), text.index("\0"))
        return Fault("not-utf8", Problem(spot, "the file is not UTF-8 text: a NUL character here", "save it as UTF-8"))
    return text


def read_skill(path: Path, name: str) -> Skill:
    """Read one SKILL.md; what hinders reading becomes its fault."""
    text = read_text(path, MAX_SKILL_BYTES)
    if isinstance(text, Fault):
        return Skill(path, name, unreadable=text)
    return Skill(path, name, text.removeprefix(BOM), bom=text.startswith(BOM))


def _named(path: Path, name: str) -> Path:
    """What a path on the command line stands for: a skill file, or a folder of them; `name` is how users read it."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        message = f"{name}: {'the link points nowhere' if path.is_symlink() else 'no such file or folder'}"
        raise UsageError(message) from None
    except OSError as error:
        message = f"{name}: can't be read: {error.strerror}"
        raise UsageError(message) from error
    if path.is_dir():
        if not os.access(path, os.R_OK | os.X_OK):
            message = f"{name}: the folder can't be read"
            raise UsageError(message)
        return skill_file(path) or path
    if is_skill_file(path.name):
        return path
    above = next((file for folder in path.parents if (file := skill_file(folder))), None)
    if above is None:
        message = f"{name}: neither a {SKILL_FILE} nor a file of a skill"
        raise UsageError(message)
    return above


def _real(file: Path) -> tuple[str, str]:
    """Equal for one skill that is reached by several ways; a link to the file alone makes another skill."""
    return os.path.realpath(file.parent), file.name


def _areas(folders: Iterable[Path]) -> frozenset[str]:
    """Folders by the names given and by their real ones."""
    return frozenset(text for folder in folders for text in (str(folder), os.path.realpath(folder)))


def _within(path: Path, areas: frozenset[str]) -> bool:
    """Whether a path, or what it leads to, is one of the folders `areas` or lies in one."""
    return lies_in(str(path), areas) or lies_in(os.path.realpath(path), areas)


def _children(folder: Path) -> list[Path]:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    return [file for name in names if (folder / name).is_dir() and (file := skill_file(folder / name))]


def _excluded(path: Path, config: Config) -> bool:
    if not path.is_relative_to(config.root):
        return False
    relative = path.relative_to(config.root).as_posix()
    return any(matches(pattern, relative) for pattern in config.exclude)


def _nothing(paths: Sequence[Path], config: Config, base: Path) -> str:
    roots = [config.root / path for path in config.paths]
    looked = ", ".join(f"{shown(path, base)!r}" for path in paths or roots)
    usual = [place for place in USUAL_PLACES if not paths and (roots[0].parent / place).is_dir()]
    found = f" ({', '.join(usual)} is here)" if usual else ""
    hint = "" if paths else f"; name a folder{found}, or set paths in [tool.skillcheck] of pyproject.toml"
    return f"no skills found: no {SKILL_FILE} in or below {looked}{hint}"


def _listed(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError as error:
        message = f"{folder}: the folder can't be read: {error.strerror}"
        raise UsageError(message) from error


def _commands(root: Path, show: partial[str]) -> Iterator[Command]:
    for folder, ending in COMMAND_FOLDERS:
        place = root / folder
        for name in _listed(place) if os.path.isdir(place) else ():
            path = place / name
            if name.endswith(ending):
                from skillcheck.catalog import commands  # noqa: PLC0415 - most catalogs have none

                text = read_text(path, MAX_SKILL_BYTES)
                yield commands.parse(path, show(path), folder, "" if isinstance(text, Fault) else text)


def _case_files(config: Config, show: partial[str]) -> Iterator[CaseFile]:
    from skillcheck.catalog import cases  # noqa: PLC0415 - lint reads none

    folder = config.root / config.cases
    for name in _listed(folder) if os.path.isdir(folder) else ():
        if name.endswith(".json"):
            path = folder / name
            text = read_text(path, MAX_CASE_BYTES)
            if isinstance(text, Fault):
                yield cases.CaseFile(path, show(path), name.removesuffix(".json"), faults=(text,))
            else:
                yield cases.parse(path, show(path), text)
