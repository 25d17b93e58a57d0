"""Slash commands in the dialects of several hosts: what each says it does."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from skillcheck.catalog import frontmatter
from skillcheck.span import BOM, START, Lines, Span

if TYPE_CHECKING:
    from pathlib import Path

_KEY = re.compile(r"""^[ \t]*(?:description|"description"|'description')[ \t]*=[ \t]*""", re.MULTILINE)
_ONE_LINE = re.compile(r'''(?!""")"(?:[^"\\\r\n]|\\.)*"|(?!\'\'\')'[^'\r\n]*\'''')
_TOML_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)\Z")


@dataclass(frozen=True, slots=True)
class Command:
    """One command file. `description` is None where there is none that can be read, and `reason` tells why."""

    path: Path
    shown: str
    folder: str
    stem: str
    description: str | None
    span: Span
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _Read:
    description: str | None
    span: Span
    reason: str = ""


def parse(path: Path, shown: str, folder: str, text: str) -> Command:
    """Read a command in Markdown with frontmatter, or in TOML."""
    lines = Lines.of(text.removeprefix(BOM))
    read = _from_toml(lines) if path.suffix == ".toml" else _from_markdown(lines)
    return Command(path, shown, folder, path.stem, read.description, read.span, read.reason)


def _from_markdown(lines: Lines) -> _Read:
    split = frontmatter.split(lines)
    found = split.frontmatter
    if found is None:
        fault = split.faults[-1].problem
        return _Read(None, fault.span, fault.message)
    return _checked(found.data, found.value_span("description") if "description" in found.data else START)


def _checked(data: object, span: Span) -> _Read:
    if not isinstance(data, dict) or "description" not in data:
        return _Read(None, START, "no description")
    value = data["description"]
    if not isinstance(value, str):
        kind = "empty" if value is None else f"of type {type(value).__name__}, not a string"
        return _Read(None, span, f"the description is {kind}")
    return _Read(value.strip(), span)


def _from_toml(lines: Lines) -> _Read:
    import tomllib  # noqa: PLC0415 - most catalogs have no commands

    try:
        data = tomllib.loads(lines.text)
    except tomllib.TOMLDecodeError as error:
        place = _TOML_PLACE.search(str(error))
        message = f"not TOML: {_TOML_PLACE.sub('', str(error))}"
        if place and place[1]:
            line, column = int(place[1]), int(place[2])
            return _Read(None, Span(line, column, line, column), message)
        end = len(lines.text)
        return _Read(None, lines.span(end, end) if place else START, message)
    except RecursionError:
        return _Read(None, START, "not TOML: values are nested too deep")
    return _checked(data, _toml_span(lines) if "description" in data else START)


def _toml_span(lines: Lines) -> Span:
    """Where the top-level description stands: the first such key before which the text is TOML, so outside strings."""
    text = lines.text
    for match in _KEY.finditer(text):
        if _is_toml(text[: match.start()]):
            short = _ONE_LINE.match(text, match.end())
            if short:
                return lines.span(*short.span())
            ends = (at - 1 for at in (*lines.starts, len(text) + 1) if at > match.end())
            end = next((at for at in ends if _is_toml(text[match.start() : at])), match.end())
            return lines.span(match.end(), len(text[:end].rstrip()))
    return START


def _is_toml(text: str) -> bool:
    import tomllib  # noqa: PLC0415 - see _from_toml

    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True
