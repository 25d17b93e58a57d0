"""What an agent did, in events that are the same for every harness."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    Record = Mapping[str, Any]


class Usage(NamedTuple):
    """Tokens, as the providers bill them: `input` is what was neither written to nor read from a cache."""

    input: int = 0
    output: int = 0
    cache_write: int = 0
    cache_read: int = 0

    def plus(self, other: Usage) -> Usage:
        """The sum of both."""
        return Usage(*(one + two for one, two in zip(self, other, strict=True)))

    @property
    def total(self) -> int:
        """All tokens."""
        return sum(self)


class Started(NamedTuple):
    """The session began. `skills` are those that the agent was offered, None where its CLI doesn't tell."""

    model: str = ""
    version: str = ""
    skills: tuple[str, ...] | None = None


class Said(NamedTuple):
    """A whole text of the assistant; `agent` is the id of a nested agent, empty for the main one."""

    text: str
    agent: str = ""


class ToolCall(NamedTuple):
    """The agent called a tool; `id` ties the result to it."""

    id: str
    name: str
    input: Mapping[str, Any]
    agent: str = ""


class ToolResult(NamedTuple):
    """What a call came to. A failed command is ordinary behaviour, no fault of the run."""

    id: str
    text: str
    is_error: bool = False


class SkillLoaded(NamedTuple):
    """The agent read a skill's text by itself, successfully; a prompt that hands it over is no such event."""

    name: str


class Denied(NamedTuple):
    """The harness kept a tool from the agent, so that the run says nothing about the agent."""

    tool: str
    reason: str = ""


class Spent(NamedTuple):
    """Tokens and US dollars so far, in all; a later one replaces an earlier one. `cost_usd` is None where unknown."""

    usage: Usage
    cost_usd: float | None = None


class Ended(NamedTuple):
    """How the agent says that it ended: `completed`, or the name of a class in `outcome.CLASSES`."""

    how: str
    message: str = ""


class Malformed(NamedTuple):
    """Lines of the stream that can't be read."""

    lines: int


Event = Started | Said | ToolCall | ToolResult | SkillLoaded | Denied | Spent | Ended | Malformed


class Trace(NamedTuple):
    """A run as graders see it: `events` in order, the rest gathered from them. `ended` is None for a stream cut off."""

    events: tuple[Event, ...]
    usage: Usage | None = None
    cost_usd: float | None = None
    model: str = ""
    version: str = ""
    skills: tuple[str, ...] | None = None
    ended: Ended | None = None
    malformed: int = 0

    @classmethod
    def of(cls, events: Iterable[Event]) -> Trace:
        """Gather events; of `Started` the first counts, of `Spent` and `Ended` the last."""
        kept: list[Event] = []
        started, spent, ended, malformed = None, None, None, 0
        for event in events:
            match event:
                case Started():
                    started = started or event
                case Spent():
                    spent = event
                case Ended():
                    ended = event
                case Malformed(lines):
                    malformed += lines
                case _:
                    kept.append(event)
        begun = started or Started()
        usage, cost = spent or (None, None)
        return cls(tuple(kept), usage, cost, begun.model, begun.version, begun.skills, ended, malformed)

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The tool calls in order, those of nested agents included."""
        return tuple(event for event in self.events if isinstance(event, ToolCall))

    @property
    def loaded(self) -> frozenset[str]:
        """The names of the skills that were loaded."""
        return frozenset(event.name for event in self.events if isinstance(event, SkillLoaded))

    @property
    def said(self) -> tuple[str, ...]:
        """The main agent's texts in order."""
        return tuple(event.text for event in self.events if isinstance(event, Said) and not event.agent)


def json_lines(parse: Callable[[Iterable[Record]], Iterator[Event]]) -> Callable[[Iterable[bytes]], Iterator[Event]]:
    """Make a parser of JSON objects one of lines; lines that hold none are counted, never fatal."""

    def parsed(lines: Iterable[bytes]) -> Iterator[Event]:
        malformed = 0

        def records() -> Iterator[Record]:
            nonlocal malformed
            for line in lines:
                if not line.strip():
                    continue
                try:
                    record = json.loads(line.decode("utf-8", "replace"))
                except (ValueError, RecursionError):
                    record = None
                if isinstance(record, dict):
                    yield record
                else:
                    malformed += 1

        yield from parse(records())
        if malformed:
            yield Malformed(malformed)

    return parsed
