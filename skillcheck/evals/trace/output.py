"""Output of programs that nobody wrote a parser for: plain text, or whatever its first line shows it to be."""

from __future__ import annotations

import io
from itertools import chain
from typing import TYPE_CHECKING

from skillcheck.evals.trace import claude_stream, event_lines
from skillcheck.evals.trace.trace import Ended, Said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from skillcheck.evals.trace.trace import Event


def text(lines: Iterable[bytes]) -> Iterator[Event]:
    """All of it is one text; whether the program did well, its status tells."""
    whole = io.BytesIO()  # grows as lines come, where a join would hold them all beside
    whole.writelines(lines)
    said = whole.getvalue().decode("utf-8", "replace").strip()
    if said:
        yield Said(said)
    yield Ended("completed")


def detected(lines: Iterable[bytes]) -> Iterator[Event]:
    """A stored trace of ours, or Claude's stream where the first line that isn't blank begins an object, else text."""
    remaining = iter(lines)
    first = next((line for line in remaining if line.strip()), b"")
    beginnings = ((event_lines.BEGINNING, event_lines.parse), (b"{", claude_stream.parse), (b"", text))
    parse = next(parse for beginning, parse in beginnings if first.lstrip().startswith(beginning))
    yield from parse(chain([first], remaining))
