"""Events as JSON lines, one a line: how a trace is stored, the same for every harness."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

from skillcheck.evals.trace.trace import (
    Denied,
    Ended,
    Malformed,
    Said,
    SkillLoaded,
    Spent,
    Started,
    ToolCall,
    ToolResult,
    Usage,
    json_lines,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from skillcheck.evals.trace.trace import Event, Record, Trace

_KINDS: dict[str, Any] = {
    kind.__name__: kind for kind in (Started, Said, ToolCall, ToolResult, SkillLoaded, Denied, Spent, Ended, Malformed)
}
BEGINNING = b'{"event":'
"""What every line begins with, by which a stored trace is told from an agent's own output."""


def lines(trace: Trace) -> bytes:
    """A whole trace; what `Trace.of` gathers stands where it is read again."""
    whole = io.BytesIO()  # see output.text
    whole.writelines(map(line, _gathered(trace)))
    return whole.getvalue()


def _gathered(trace: Trace) -> Iterator[Event]:
    yield Started(trace.model, trace.version, trace.skills)
    yield from trace.events
    if trace.usage:
        yield Spent(trace.usage, trace.cost_usd)
    if trace.malformed:
        yield Malformed(trace.malformed)
    if trace.ended:
        yield trace.ended


def line(event: Event) -> bytes:
    """One event with its newline."""
    fields = event._asdict()
    if isinstance(event, Spent):
        fields["usage"] = event.usage._asdict()
    return json.dumps({"event": type(event).__name__, **fields}).encode() + b"\n"


def _events(records: Iterable[Record]) -> Iterator[Event]:
    for record in records:
        kind = _KINDS.get(str(record.get("event")))
        if kind:
            try:
                yield kind(**{name: _value(name, record[name]) for name in kind._fields if name in record})
            except TypeError:
                yield Malformed(1)


def _value(name: str, value: Any) -> Any:
    """JSON has neither tuples nor our types."""
    if name == "usage":
        return Usage(**value)
    return tuple(value) if name == "skills" and value is not None else value


parse = json_lines(_events)
"""Read what `line` wrote; events of unknown kinds are passed over, and those that lack a field are malformed."""
