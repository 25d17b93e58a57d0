"""Source files of any format, read with positions: JSON, YAML, or Markdown with a YAML frontmatter."""

from __future__ import annotations

import os
import posixpath
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from skillcheck.catalog import frontmatter
from skillcheck.catalog.fault import Fault
from skillcheck.catalog.load import read_text
from skillcheck.diagnostic import Problem
from skillcheck.located import Located, ParseError
from skillcheck.span import BOM, Lines, Span

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAX_BYTES = 32 << 20
ENDINGS = (".json", ".yaml", ".yml", ".md")
"""What a source file may end in."""


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """One file: `located` holds its value, of a Markdown file the frontmatter's, and `body` the rest of that."""

    path: Path
    shown: str
    located: Located = field(default_factory=lambda: Located(None, {}, {}), repr=False)
    body: str = field(default="", repr=False)

    @property
    def root(self) -> Entry:
        """The whole value."""
        return Entry(self, (), self.located.value)


class Entry(NamedTuple):
    """A value of a document and the way to it; None where nothing stands there."""

    document: Document
    path: tuple[Any, ...]
    value: Any

    def at(self, *keys: Any) -> Entry:
        """What stands below; a key that isn't there leads to None."""
        value = self.value
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        return Entry(self.document, (*self.path, *keys), value)

    def entries(self, *keys: Any) -> Iterator[Entry]:
        """The items of the list below; a single value that is no list counts as one item, None as none."""
        inner = self.at(*keys)
        if isinstance(inner.value, list):
            yield from (Entry(self.document, (*inner.path, i), value) for i, value in enumerate(inner.value))
        elif inner.value is not None:
            yield inner

    def text(self, *keys: Any) -> str:
        """The text below, without blanks around it; empty where there is none."""
        value = self.at(*keys).value
        return value.strip() if isinstance(value, str) else ""

    @property
    def keys(self) -> tuple[Any, ...]:
        """The keys of a mapping; none of anything else."""
        return tuple(self.value) if isinstance(self.value, dict) else ()

    @property
    def span(self) -> Span:
        """Where it stands, or what is nearest above it."""
        return self.document.located.span(*self.path)

    @property
    def key_span(self) -> Span:
        """Where its key stands."""
        return self.document.located.key_span(*self.path)


def read(path: Path, shown: str) -> Document | Fault:
    """Read a file, or tell where and why it can't be: JSON and YAML stand under each other's names too."""
    text = read_text(path, MAX_BYTES)
    if isinstance(text, Fault):
        return text._replace(rule="unreadable-source")
    lines = Lines.of(text.removeprefix(BOM))
    try:
        return _parsed(path, shown, lines)
    except ParseError as error:
        spot = lines.span(error.offset, min(error.offset + 1, len(lines.text)))
        kind = "JSON" if _is_json(path, lines) else "YAML"
        return Fault("unreadable-source", Problem(spot, f"not {kind}: {error.message}"))


def beside(document: Document, path: Path) -> Document | Fault:
    """Read a file that belongs to a document, which stands in its folder or near it."""
    way = os.path.relpath(path, document.path.parent).replace(os.sep, "/")
    return read(path, posixpath.normpath(posixpath.join(posixpath.dirname(document.shown), way)))


def _is_json(path: Path, lines: Lines) -> bool:
    return path.suffix == ".json" and lines.text.lstrip()[:1] in {"{", "[", ""}


def _parsed(path: Path, shown: str, lines: Lines) -> Document | Fault:
    if _is_json(path, lines):
        from skillcheck.located import json as located_json  # noqa: PLC0415 - one of the two is enough

        return Document(path, shown, located_json.parse(lines))
    if path.suffix == ".md":
        return _markdown(path, shown, lines)
    from skillcheck.located import yaml as located_yaml  # noqa: PLC0415 - see above

    return Document(path, shown, located_yaml.parse(lines, 0, len(lines.text)))


def _markdown(path: Path, shown: str, lines: Lines) -> Document | Fault:
    split = frontmatter.split(lines)
    broken = [fault for fault in split.faults if fault.rule != "missing-frontmatter"]
    if split.frontmatter is None and broken:
        return broken[0]._replace(rule="unreadable-source")
    located = split.frontmatter.located if split.frontmatter else Located({}, {}, {})
    return Document(path, shown, located, lines.text[split.body :].strip())
