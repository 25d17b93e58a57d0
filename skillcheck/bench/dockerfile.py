"""What a Dockerfile does, as far as it can be done without an image: a folder to work in, and files copied into it."""

from __future__ import annotations

import json
import posixpath
import re
import shlex
from typing import TYPE_CHECKING, NamedTuple

from skillcheck.diagnostic import clipped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_START = re.compile(r"[ \t]*(?P<keyword>[A-Za-z]+)[ \t]+")
_NO_FLAG = re.compile(r"(?:--(?:chown|chmod|link)(?:=\S+)?\s+)*")
_PLAIN_IMAGE = re.compile(
    r"(?:docker\.io/)?(?:library/)?(?:python|ubuntu|debian|alpine|busybox)(?::[\w.-]+)?(?:@sha256:\w+)?"
)
_ONLY_FOLDERS = re.compile(r"mkdir( -p)?( [\w./-]+)+")
_SILENT = frozenset({"ENV", "LABEL", "MAINTAINER", "EXPOSE", "STOPSIGNAL", "CMD", "SHELL"})
"""Keywords that make no file; those that set variables are read, the others say nothing of a program that is run."""
_SHOWN = 60
DEFAULT_WORKDIR = "/root"
"""Where SkillsBench's tasks work."""


class Instruction(NamedTuple):
    """One instruction: its line, from 1, its keyword in capitals and what follows, continued lines joined."""

    line: int
    keyword: str
    rest: str


class Copy(NamedTuple):
    """Files of the environment to copy: posix paths and globs relative to it, and an absolute path in the image.

    A target that ends with a slash is a folder.
    """

    sources: tuple[str, ...]
    target: str


class Recipe(NamedTuple):
    """What there is to do: where to work, what to copy there and which variables to set.

    `obstacle` says what can't be done without an image; empty if nothing is.
    """

    workdir: str
    copies: tuple[Copy, ...]
    env: Mapping[str, str]
    obstacle: str


def instructions(text: str) -> Iterator[Instruction]:
    """The instructions of a Dockerfile, comments left out."""
    rest, begun = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("#") or not (line.strip() or rest):
            continue
        begun = begun or number
        rest += line.rstrip("\\ \t") + " "
        if line.rstrip().endswith("\\"):
            continue
        if match := _START.match(rest):
            yield Instruction(begun, match["keyword"].upper(), rest[match.end() :].strip())
        rest, begun = "", 0


def recipe(text: str) -> Recipe:
    """What a Dockerfile asks for, up to the first thing that takes an image; the work folder is that of the end."""
    workdir, copies, env = "/", list[Copy](), dict[str, str]()
    every = tuple(instructions(text))
    if not any(each.keyword == "FROM" for each in every):
        return Recipe(DEFAULT_WORKDIR, (), {}, "its Dockerfile has no FROM")
    for each in every:
        obstacle = _obstacle(each)
        if obstacle:
            return Recipe(_workdir(every), tuple(copies), env, f"line {each.line} of its Dockerfile {obstacle}")
        if each.keyword == "WORKDIR":
            workdir = posixpath.normpath(posixpath.join(workdir, each.rest.strip("\"'")))
        elif each.keyword in {"COPY", "ADD"}:
            copies.append(_copy(each.rest, workdir))
        elif each.keyword == "ENV":
            env |= _variables(each.rest)
    return Recipe(_named(workdir), tuple(copies), env, "")


def _workdir(every: Iterable[Instruction]) -> str:
    """Where programs work in the image."""
    found = "/"
    for each in every:
        if each.keyword == "WORKDIR":
            found = posixpath.normpath(posixpath.join(found, each.rest.strip("\"'")))
    return _named(found)


def _named(workdir: str) -> str:
    return DEFAULT_WORKDIR if workdir == "/" else workdir


def _obstacle(each: Instruction) -> str:
    """Why an instruction can't be followed without an image."""
    if each.keyword == "FROM":
        plain = _PLAIN_IMAGE.fullmatch(each.rest)
        return "" if plain else f"builds on the image {each.rest!r}, which holds more than a system"
    if each.keyword == "RUN":
        return "" if _ONLY_FOLDERS.fullmatch(each.rest) else f"runs {clipped(each.rest, _SHOWN)!r}"
    if each.keyword == "ENV" and "$" in each.rest:
        return f"sets variables from others: {clipped(each.rest, _SHOWN)!r}"
    if each.keyword in {"COPY", "ADD"}:
        foreign = "://" in each.rest or _NO_FLAG.sub("", each.rest, count=1).startswith("--")
        return f"copies {clipped(each.rest, _SHOWN)!r} from elsewhere" if foreign else ""
    return "" if each.keyword in _SILENT | {"WORKDIR"} else f"has {each.keyword}"


def _copy(rest: str, workdir: str) -> Copy:
    words = _words(_NO_FLAG.sub("", rest, count=1))
    *sources, target = words if len(words) > 1 else (*words, "./")
    whole = posixpath.join(workdir, target)
    is_folder = target.endswith(("/", "/.")) or target == "." or len(sources) > 1
    return Copy(tuple(sources), posixpath.normpath(whole) + ("/" if is_folder else ""))


def _words(text: str) -> list[str]:
    try:
        found = json.loads(text)
    except ValueError:
        return _split(text)
    return [str(word) for word in found] if isinstance(found, list) else [text]


def _split(text: str) -> list[str]:
    """The words of a line as a shell reads them; as they stand where a quote isn't closed."""
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def _variables(rest: str) -> dict[str, str]:
    pairs = [word.partition("=") for word in _split(rest)]
    if all(equals for _, equals, _ in pairs):
        return {name: value for name, _, value in pairs}
    name, _, value = rest.partition(" ")
    return {name: value.strip()}
