"""A trace as text for a judge: bounded, and with every tool call in it while there is any room."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from skillcheck.evals.trace.trace import Denied, Said, SkillLoaded, ToolCall, ToolResult

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from skillcheck.evals.trace.trace import Event, Trace

EVENT_CHARS = 8_000
"""How much of one event is shown."""
PART_CHARS = 80_000
"""How much each of three parts may take: the start and the end, shown whole, and the tool calls between them."""
CALL_CHARS = (60, 400)
"""The least and the most of a tool call between start and end."""


def transcript(trace: Trace) -> str:
    """The events in order, at most some 250,000 characters.

    Lines at the margin are ours and what they announce is indented, so that no text can pass for an event. Where a
    trace is too long, its middle is cut down to the tool calls, and a note says how much is missing.
    """
    head = _fitting(map(_block, trace.events))
    rest = trace.events[len(head) :]
    tail = _fitting(map(_block, reversed(rest)))
    return "\n".join((*head, *_gist(rest[: len(rest) - len(tail)]), *reversed(tail), _ending(trace)))


def cut(text: str, limit: int) -> str:
    """The text without its middle where it is longer than `limit` characters, with a note of how much that was."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}\n[{len(text) - 2 * half:,} characters left out here]\n{text[-half:]}"


def one_line(text: str) -> str:
    """The text with each run of white space made one space."""
    return " ".join(text.split())


def _fitting(blocks: Iterable[str]) -> list[str]:
    """As many blocks from the first on as have room in a part."""
    taken, room = [], PART_CHARS
    for block in blocks:
        room -= len(block)
        if room < 0:
            break
        taken.append(block)
    return taken


def _block(event: Event) -> str:
    return _announced(*_shown(event))


def _announced(title: str, text: str) -> str:
    """A title at the margin and its text below, indented."""
    body = "".join(f"\n  {line}" for line in cut(text, EVENT_CHARS).splitlines())
    return one_line(title[:EVENT_CHARS]) + body


def _shown(event: Event) -> tuple[str, str]:
    """The title of an event, and its text."""
    match event:
        case Said(text, agent):
            return f"assistant{_nested(agent)}:", text
        case ToolCall(id_, name, _, agent):
            return f"tool call {id_}{_nested(agent)}: {name}", _input(event)
        case ToolResult(id_, text, is_error):
            return f"{'error' if is_error else 'result'} of {id_}:", text
        case SkillLoaded(name):
            return f"skill loaded: {name}", ""
        case Denied(tool, reason):
            return f"tool kept from the agent: {tool}", reason
    return type(event).__name__.lower(), ""


def _nested(agent: str) -> str:
    return f" of the nested agent {agent}" if agent else ""


def _input(call: ToolCall) -> str:
    try:
        return json.dumps(call.input, ensure_ascii=False)
    except RecursionError:
        return "(nested too deeply to be shown)"


def _gist(events: Sequence[Event]) -> tuple[str, ...]:
    """The tool calls of a trace's middle, with notes on what is missing."""
    if not events:
        return ()
    calls = [event for event in events if isinstance(event, ToolCall)]
    others = sum(len(event.text) for event in events if isinstance(event, Said | ToolResult))
    least, most = CALL_CHARS
    room = max(least, min(most, PART_CHARS // max(len(calls), 1)))
    shown = _fitting(_brief(call, room) for call in calls)
    note = (
        f"[{len(events):,} events left out here, with {others:,} characters of texts and results; "
        f"of their {len(calls):,} tool calls {len(shown):,} follow, shortened]"
    )
    return (note, *shown, "[from here on, the events are whole again]")


def _brief(call: ToolCall, room: int) -> str:
    title, text = _shown(call)
    line = one_line(f"{title[:EVENT_CHARS]} {text}")
    return line if len(line) <= room else f"{line[: room - 20]} … {line[-17:]}"


def _ending(trace: Trace) -> str:
    if trace.ended is None:
        return "the stream was cut off here"
    return _announced(f"the run ended: {trace.ended.how}", trace.ended.message)
