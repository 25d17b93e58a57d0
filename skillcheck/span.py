"""Where something stands in a text: spans in lines and columns, and the way there from offsets."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import NamedTuple

BOM = "\ufeff"
_LINE_BREAK = re.compile(r"\r\n|\n|\r")


class Span(NamedTuple):
    """A stretch of text. Lines and columns count from 1, in Unicode code points; the end is exclusive.

    Column 0 of line 1 is a byte-order mark: it is no character of the text, yet it can be cut out.
    """

    line: int = 1
    column: int = 1
    end_line: int = 1
    end_column: int = 1

    def holds(self, other: Span) -> bool:
        """Whether another span lies in this one."""
        return self[:2] <= other[:2] and other[2:] <= self[2:]


START = Span()
BYTE_ORDER_MARK = Span(1, 0, 1, 1)


@dataclass(frozen=True, slots=True)
class Lines:
    r"""The lines of one text; `\n`, `\r\n` and `\r` end a line, as in CommonMark, and nothing else does."""

    text: str = field(repr=False)
    starts: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> Lines:
        """Index `text`, which must not begin with a byte-order mark if columns of line 1 are to be right."""
        if "\r" not in text:
            starts = [0]
            at = text.find("\n")
            while at >= 0:
                starts.append(at + 1)
                at = text.find("\n", at + 1)
            return cls(text, tuple(starts))
        return cls(text, (0, *(match.end() for match in _LINE_BREAK.finditer(text))))

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of a code-point offset in 0..len(text)."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        """The span of the code points `start` to `end` (exclusive)."""
        return Span(*self.position(start), *self.position(end))

    def offset(self, line: int, column: int) -> int:
        """The code-point offset of a position; the inverse of `position`."""
        return self.starts[line - 1] + column - 1

    def offsets(self, span: Span) -> tuple[int, int]:
        """Where a span begins and ends, in code points; the inverse of `span`."""
        return self.offset(span.line, span.column), self.offset(span.end_line, span.end_column)

    def line(self, number: int) -> str:
        """The text of a line, from 1, without its line break."""
        end = self.starts[number] if number < len(self.starts) else len(self.text)
        return self.text[self.starts[number - 1] : end].rstrip("\r\n")
