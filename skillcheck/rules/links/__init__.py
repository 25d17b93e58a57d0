"""Rules about where links lead. What a destination means is settled here, once for all of them.

Looked at are inline and reference links and images that the CommonMark parser sees in the body: neither code nor
comments nor definitions that nothing uses. Destinations with a scheme, those that begin with a slash (routes of a
site, hosts) and empty ones are none of our business.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from skillcheck.catalog.files import Files, Found
from skillcheck.config import repository

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from skillcheck.catalog.markdown import Link
    from skillcheck.catalog.skill import Skill
    from skillcheck.rules import Context
    from skillcheck.span import Span

_ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|/|\Z")
_VARIABLE = r"\$(?:\{(CLAUDE_SKILL_DIR|CLAUDE_PLUGIN_ROOT)\}|(CLAUDE_SKILL_DIR|CLAUDE_PLUGIN_ROOT))(?:/|\Z)"
_PLACEHOLDER = (
    r"[{}<>*$|]|\.{3}|…|%[A-Z_]+%|\[.+\]|\A~/|(?:\A|/)path/to(?:/|\Z)|(?:\A|/)your[-_]"
    r"|(?<![A-Za-z])(?:YYYY|XX+|xxx+|NN+)(?![A-Za-z])"
)
_BARE_WORD = r"(?i)(?:[A-Za-z]+[-_]?)?(?:url|uri|link|href|path|file|filename|destination)"
_LINE_NUMBER = re.compile(r"(?::\d+)+(?:-\d+)?\Z")


class State(Enum):
    """What there is at a destination; templated is what only its author could fill in."""

    FOUND = auto()
    MISSING = auto()
    WRONG_CASE = auto()
    OUTSIDE = auto()
    TEMPLATED = auto()


@dataclass(frozen=True, slots=True)
class Target:
    """Where a link leads; `path` and `fragment` are decoded, `file` is what was found in its true spelling."""

    link: Link
    span: Span
    path: str
    fragment: str
    state: State
    file: Path | None = None


def targets(skill: Skill, context: Context) -> Iterator[Target]:
    """The links of a skill that lead to files or to headings, in order."""
    files = _files(skill.path.parent, context.catalog.files)
    places: dict[str, tuple[State, Path | None]] = {}
    for link in skill.body.links:
        if not _ELSEWHERE.match(link.target):
            rest, _, fragment = link.target.partition("#")
            path = decoded(rest.partition("?")[0])
            if path not in places:
                places[path] = _place(path, skill, files)
            state, file = places[path]
            if state is State.MISSING and _is_angle_name(skill, link):
                state = State.TEMPLATED
            if file and re.search(_PLACEHOLDER, fragment):
                state = State.TEMPLATED
            yield Target(link, skill.span(link.start, link.end), path, decoded(fragment), state, file)


def decoded(text: str) -> str:
    """`text` without percent-encoding."""
    if "%" not in text:
        return text
    from urllib.parse import unquote  # noqa: PLC0415 - few links need it

    return unquote(text)


def _files(folder: Path, files: Files) -> Files:
    """The tree that a skill's links may reach: a skill by itself may name its neighbours, unless it is a repository."""
    if folder != files.boundary and folder.is_relative_to(files.boundary):
        return files
    return Files(repository(folder) or folder.parent)


def _place(path: str, skill: Skill, files: Files) -> tuple[State, Path | None]:
    if not path:
        return State.FOUND, skill.path
    base, inner = _anchored(path, skill.path.parent, files)
    if base is None:
        return State.TEMPLATED, None
    file, found = _look(base, inner, files)
    if found.actual:
        return State.WRONG_CASE, found.actual
    if found.exists:
        return State.FOUND, file
    if re.search(_PLACEHOLDER, inner) or re.fullmatch(_BARE_WORD, path):
        return State.TEMPLATED, None
    return (State.OUTSIDE if found.outside else State.MISSING), None


def _anchored(path: str, folder: Path, files: Files) -> tuple[Path | None, str]:
    """What a path starts from, and the rest of it; hosts fill in the variables that Claude Code documents."""
    match = re.match(_VARIABLE, path)
    if match is None:
        return folder, path
    rest = path[match.end() :]
    if "CLAUDE_SKILL_DIR" in (match[1], match[2]):
        return folder, rest
    above = (place for place in folder.parents if place.is_relative_to(files.boundary))
    return next((place for place in above if ".claude-plugin" in files.names(place)), None), rest


def _look(base: Path, inner: str, files: Files) -> tuple[Path, Found]:
    """Look for a path as written; then from the real folder of a linked skill; then without a line number."""
    first = base / inner
    answer = files.look(first)
    if answer.exists:
        return first, answer
    for other in (base.resolve() / inner, base / _LINE_NUMBER.sub("", inner)):
        found = files.look(other)
        if found.exists:
            return other, found
    return first, answer


def _is_angle_name(skill: Skill, link: Link) -> bool:
    """Whether a destination is written `<name>`, with neither dot nor slash: a placeholder that CommonMark reads so."""
    word = link.target
    return word.replace("-", "").replace("_", "").isalnum() and skill.text.startswith(
        f"(<{word}>)", link.end - len(word) - 4
    )
