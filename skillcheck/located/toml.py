"""TOML with positions. tomllib reads; a second pass over the text, then known to be valid, finds the places."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

from skillcheck.located import MAX_DEPTH, Located, ParseError, Path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.span import Lines, Span

_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}' r"|'''.*?'{3,5}" r'|"(?:\\.|[^"\\\n])*"' r"|'[^'\n]*'"
    r"""|\#[^\n]*|\n|[\[\]{}]|[^\s"'#\[\]{}]+|[^\S\n]+""",
    re.DOTALL,
)  # fmt: skip
_PART = re.compile(r"""[ \t.]*("(?:\\.|[^"\\])*"|'[^']*'|[A-Za-z0-9_-]+)""")
_PLACE = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL)


def parse(lines: Lines) -> Located:
    """Read a TOML 1.0 text. Raises ParseError for anything else, and for more than MAX_DEPTH levels.

    Tables, keys and their values have places; what lies inside an array or an inline table has the place of the whole.
    """
    try:
        value = tomllib.loads(lines.text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(lines, str(error)) from None
    except ValueError:
        raise ParseError(0, "a number has too many digits") from None
    except RecursionError:
        raise _too_deep(0) from None
    places = _Places(lines)
    for start, end in _statements(lines.text):
        places.take(start, end)
    return Located(value, places.spans, places.keys)


def _syntax_error(lines: Lines, said: str) -> ParseError:
    message, line, column = match.groups() if (match := _PLACE.fullmatch(said)) else (said, None, None)
    offset = lines.offset(int(line), int(column)) if line and column else len(lines.text)
    return ParseError(offset, message[0].lower() + message[1:])


def _too_deep(offset: int) -> ParseError:
    return ParseError(offset, f"values are nested more than {MAX_DEPTH} levels deep")


def _statements(text: str) -> Iterator[tuple[int, int]]:
    """Where each header, and each key with its value, begins and ends."""
    depth, start, end = 0, -1, 0
    for token in _TOKEN.finditer(text + "\n"):
        mark = token[0]
        if mark == "\n" and not depth and start >= 0:
            yield start, end
            start = -1
        elif not mark.isspace() and mark[0] != "#":
            start, end = (token.start() if start < 0 else start), token.end()
            depth += (mark in "[{") - (mark in "]}")
            if depth > MAX_DEPTH:
                raise _too_deep(token.start())


class _Places:
    """Where tables, keys and values stand; `table` is the path of the table that keys now belong to."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.spans: dict[Path, Span] = {}
        self.keys: dict[Path, Span] = {}
        self.table: Path = ()
        self.last: dict[Path, int] = {}  # of each array of tables, the index of the table that was begun last

    def take(self, start: int, end: int) -> None:
        """Add a header, or a key with its value."""
        text = self.lines.text
        brackets = 2 if text.startswith("[[", start) else int(text[start] == "[")
        path: Path = () if brackets else self.table
        at = start + brackets
        while part := _PART.match(text, at):
            path = (*path, *self._index(path), _name(part[1]))
            self.keys.setdefault(path, self.lines.span(*part.span(1)))
            at = part.end()
        if len(path) > MAX_DEPTH:
            raise _too_deep(start)
        if not brackets:
            value = text.index("=", at) + 1
            value += len(text[value:end]) - len(text[value:end].lstrip())
            self.spans[path] = self.lines.span(value, end)
            return
        self.spans.setdefault(path, self.lines.span(start, end))
        if brackets > 1:
            self.last[path] = self.last.get(path, -1) + 1
        self.table = (*path, *self._index(path))
        self.spans.setdefault(self.table, self.lines.span(start, end))

    def _index(self, path: Path) -> Path:
        return (self.last[path],) if path in self.last else ()


def _name(part: str) -> str:
    return next(iter(tomllib.loads(f"{part}=0"))) if part[0] in "\"'" else part
