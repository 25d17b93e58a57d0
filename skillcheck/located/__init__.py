"""Values that know where they stand: what YAML and JSON readers return."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from skillcheck.span import START, Lines, Span

if TYPE_CHECKING:
    from collections.abc import Mapping

Path = tuple[Any, ...]
"""The way to a value from the root: keys and indices."""

MAX_DEPTH = 64
"""How deep values may be nested; hosts' own readers recurse, and no honest file comes near."""


class ParseError(ValueError):
    """A text that can't be read: `offset` is the code point where the reader gave up."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset
        self.message = message


class Located(NamedTuple):
    """A plain value with the span of every value and key below it, by path; the root's path is `()`.

    `duplicates` holds the path, first span and second span of each key that stands twice; the last one counts.
    `plain` holds the paths of YAML scalars that are written without quotes, tag and anchor.
    """

    value: Any
    spans: Mapping[Path, Span]
    keys: Mapping[Path, Span]
    duplicates: tuple[tuple[Path, Span, Span], ...] = ()
    plain: frozenset[Path] = frozenset()

    def span(self, *path: Any) -> Span:
        """Where a value stands, or the nearest thing above it that exists."""
        while path and path not in self.spans:
            path = path[:-1]
        return self.spans.get(path, START)

    def key_span(self, *path: Any) -> Span:
        """Where the key of a value stands, or the value itself in a list."""
        return self.keys.get(path) or self.span(*path)


def text_of(lines: Lines, span: Span) -> str:
    """The source text of a span."""
    start, end = lines.offsets(span)
    return lines.text[start:end]
