"""The events that the agent writes, in the shapes of Claude Code's stream-json."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from skillcheck import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

Record = dict[str, Any]
USAGE = ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class Reply(NamedTuple):
    """A message of the model: its blocks as the API has them, and the tokens that it took."""

    id: str
    model: str
    content: list[Record]
    stop_reason: str | None
    usage: Record

    @property
    def text(self) -> str:
        """What the model says, without its tool calls."""
        return "".join(block["text"] for block in self.content if block["type"] == "text")

    @property
    def calls(self) -> list[Record]:
        """The tool_use blocks."""
        return [block for block in self.content if block["type"] == "tool_use"]


class Ending(NamedTuple):
    """How a run ends: `text` is the last answer, or what went wrong.

    `subtype` and `error` are Claude Code's names; `status` is the HTTP status of a request that was refused.
    """

    text: str
    subtype: str = "success"
    status: int | None = None
    error: str | None = None


@dataclass(slots=True)
class Tally:
    """What a run has taken so far."""

    turns: int
    usage: dict[str, int]

    @classmethod
    def zero(cls) -> Tally:
        """Nothing yet."""
        return cls(0, dict.fromkeys(USAGE, 0))

    def add(self, reply: Reply) -> None:
        """Count one more turn."""
        self.turns += 1
        for name in USAGE:
            self.usage[name] += reply.usage.get(name) or 0


def init(work: Path, model: str, tools: Iterable[str], skills: Iterable[str]) -> Record:
    """The first event: what the agent starts with. The version is our own, under the name that readers look for."""
    return {
        "type": "system",
        "subtype": "init",
        "cwd": str(work),
        "model": model,
        "tools": list(tools),
        "skills": list(skills),
        "claude_code_version": __version__,
    }


def assistant(reply: Reply) -> Iterator[Record]:
    """A message of the model, one event for each of its blocks, all with the message's id and usage."""
    for block in reply.content:
        message = {"id": reply.id, "type": "message", "role": "assistant", "model": reply.model, "content": [block]}
        yield {"type": "assistant", "message": {**message, "stop_reason": reply.stop_reason, "usage": reply.usage}}


def user(result: Mapping[str, Any]) -> Record:
    """What a tool answered."""
    return {"type": "user", "message": {"role": "user", "content": [result]}}


def result(ending: Ending, tally: Tally, seconds: float) -> Record:
    """The last event. What a run costs in dollars is not known here."""
    return {
        "type": "result",
        "subtype": ending.subtype,
        "is_error": ending.subtype != "success",
        "api_error": ending.error,
        "api_error_status": ending.status,
        "result": ending.text,
        "num_turns": tally.turns,
        "usage": tally.usage,
        "duration_ms": round(seconds * 1000),
        "total_cost_usd": None,
    }
