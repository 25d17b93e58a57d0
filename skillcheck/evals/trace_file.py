"""Traces as JSON lines, one event each: `{"event": "ToolCall", "id": …}`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from skillcheck.evals.trace import (
    Denied,
    Ended,
    Malformed,
    Said,
    SkillLoaded,
    Spent,
    Started,
    ToolCall,
    ToolResult,
    Trace,
    Usage,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from skillcheck.evals.trace import Event

_KINDS = {
    kind.__name__: kind for kind in (Started, Said, ToolCall, ToolResult, SkillLoaded, Denied, Spent, Ended, Malformed)
}


def trace_lines(trace: Trace) -> bytes:
    """A trace as lines; `read_trace` makes it of them again."""
    return b"".join(
        json.dumps({"event": type(event).__name__, **event._asdict()}, ensure_ascii=True).encode() + b"\n"
        for event in _events(trace)
    )


def _events(trace: Trace) -> Iterator[Event]:
    """The events with those that `Trace.of` gathers: where they stood doesn't matter."""
    yield Started(trace.model, trace.version, trace.skills)
    yield from trace.events
    if trace.usage or trace.cost_usd is not None:
        yield Spent(trace.usage or Usage(), trace.cost_usd)
    if trace.malformed:
        yield Malformed(trace.malformed)
    if trace.ended:
        yield trace.ended


def read_trace(data: bytes) -> Trace:
    """The trace of lines. Raises ValueError where one is no event."""
    return Trace.of(_read(data.splitlines()))


def _read(lines: Iterable[bytes]) -> Iterator[Event]:
    for number, line in enumerate(lines, 1):
        try:
            fields: dict[str, Any] = json.loads(line)
            kind = _KINDS[fields.pop("event")]
            if kind is Started and fields["skills"] is not None:
                fields["skills"] = tuple(fields["skills"])
            if kind is Spent:
                fields["usage"] = Usage(*fields["usage"])
            yield kind(**fields)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            message = f"line {number} is no event"
            raise ValueError(message) from error
