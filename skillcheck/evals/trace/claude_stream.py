"""The JSON lines that Claude Code writes (`--output-format stream-json`), and other agents in its manner.

Written from the output of Claude Code 2.1.332 and Qwen Code 0.24.4. Records of unknown kinds are passed over, and
whatever is missing from a record counts as empty.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from skillcheck.evals.trace.failure import failed
from skillcheck.evals.trace.trace import (
    Denied,
    Ended,
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

    from skillcheck.evals.trace.trace import Event, Record

_LIMITS = {"error_max_turns": "turn-limit", "error_max_budget_usd": "agent-budget"}
_STATUSES = {
    "authentication_failed": 401,
    "billing_error": 402,
    "model_not_found": 404,
    "rate_limit": 429,
    "server_error": 500,
    "overloaded": 529,
}
_STATUS = re.compile(r"API Error\D*([45]\d\d)\b")
_LOOP = "Loop detection halted the run"  # Qwen Code's guard, which has no subtype of its own


class _Session:
    """What must be remembered between the records of one stream."""

    def __init__(self) -> None:
        self.asked: dict[str, str] = {}  # the skills that were asked for, by the id of the call
        self.denied: set[str] = set()
        self.spoke = False
        self.failure: Record = {}  # the message by which the CLI itself told of a failure
        self.finished = Usage()
        self.running: dict[str, Usage] = {}  # by message: each comes in several records, of which the last counts

    def system(self, record: Record) -> Iterator[Event]:
        """Qwen Code has no list of skills: they are among its slash commands."""
        if record.get("subtype") == "init":
            listed = record.get("skills", record.get("slash_commands"))
            skills = tuple(_own_name(name) for name in _items(listed)) if isinstance(listed, list) else None
            version = record.get("claude_code_version") or record.get("qwen_code_version")
            yield Started(_text(record.get("model")), _text(version), skills)
        elif record.get("subtype") == "permission_denied":
            yield from self._denial(record, _text(record.get("message")))

    def assistant(self, record: Record) -> Iterator[Event]:
        """A message, or one block of it."""
        message, agent = _record(record.get("message")), _text(record.get("parent_tool_use_id"))
        if message.get("model") == "<synthetic>":
            self.failure = record
            return
        if not agent and isinstance(message.get("usage"), dict):
            self.running[_text(message.get("id"))] = _usage(message["usage"])
        for block in _blocks(message):
            if block.get("type") == "text" and _text(block.get("text")):
                self.spoke = self.spoke or not agent
                yield Said(block["text"], agent)
            elif block.get("type") == "tool_use":
                yield self._call(block, agent)

    def _call(self, block: Record, agent: str) -> ToolCall:
        call = ToolCall(_text(block.get("id")), _text(block.get("name")), _record(block.get("input")), agent)
        if call.name.lower() == "skill":
            self.asked[call.id] = _own_name(call.input.get("skill"))
        return call

    def user(self, record: Record) -> Iterator[Event]:
        """Results of tools; what else comes in the user's name was written by the CLI."""
        for block in _blocks(_record(record.get("message"))):
            if block.get("type") == "tool_result":
                ident, is_error = _text(block.get("tool_use_id")), bool(block.get("is_error"))
                yield ToolResult(ident, "\n".join(_text(part.get("text")) for part in _blocks(block)), is_error)
                skill = self.asked.pop(ident, "")
                if skill and not is_error:
                    yield SkillLoaded(skill)

    def result(self, record: Record) -> Iterator[Event]:
        """The end, or one of several, as background work makes more: the cost is a running total, the usage isn't."""
        for denial in _items(record.get("permission_denials")):
            yield from self._denial(_record(denial), "")
        text = _text(record.get("result"))
        is_error = record.get("is_error", record.get("subtype") != "success")
        if text and not is_error and not self.spoke:
            yield Said(text)
        told = record.get("usage")
        self.finished = self.finished.plus(_usage(told) if isinstance(told, dict) else self._unfinished())
        self.running.clear()
        yield Spent(self.finished, _cost(record.get("total_cost_usd")))
        yield _failure(record, self.failure) if is_error else Ended("completed")

    def rest(self) -> Iterator[Event]:
        """After the last record: what was used since the last result, at a cost that nobody knows."""
        if self.running:
            yield Spent(self.finished.plus(self._unfinished()))

    def _unfinished(self) -> Usage:
        total = Usage()
        for usage in self.running.values():
            total = total.plus(usage)
        return total

    def _denial(self, record: Record, reason: str) -> Iterator[Event]:
        ident = _text(record.get("tool_use_id"))
        if ident not in self.denied:
            self.denied.add(ident)
            yield Denied(_text(record.get("tool_name")), reason)


def _events(records: Iterable[Record]) -> Iterator[Event]:
    session = _Session()
    readers = {
        "system": session.system,
        "assistant": session.assistant,
        "user": session.user,
        "result": session.result,
    }
    for record in records:
        reader = readers.get(_text(record.get("type")))
        if reader:
            yield from reader(record)
    yield from session.rest()


parse = json_lines(_events)
"""Read a stream, live or stored. `Ended` is missing where the stream was cut off."""


def _failure(record: Record, told: Record) -> Ended:
    """`told` is the failure's message, which says more than the result; the subtype may be `success` all the same."""
    error = _text(record.get("api_error")) or _text(told.get("error"))
    message = _message(record)
    limit = _LIMITS.get(_text(record.get("subtype")))
    if limit:
        return Ended(limit, message)
    if record.get("terminal_reason") == "prompt_too_long" or error == "max_output_tokens":
        return Ended("context-limit", message)
    if message.startswith(_LOOP):
        return Ended("agent-loop", message)
    status = record.get("api_error_status") or told.get("api_error_status") or _STATUSES.get(error)
    if not isinstance(status, int):
        named = _STATUS.search(message)
        status = int(named[1]) if named else None
    return failed(message, status)


def _message(record: Record) -> str:
    errors = (*_items(record.get("errors")), _record(record.get("error")).get("message"))
    texts = (record.get("result"), *errors, record.get("subtype"))
    return next((text for text in texts if text and isinstance(text, str)), "")


def _blocks(holder: Record) -> Iterator[Record]:
    content = holder.get("content")
    if isinstance(content, str):
        yield {"type": "text", "text": content}
    else:
        yield from (block for block in _items(content) if isinstance(block, dict))


def _own_name(skill: object) -> str:
    """Skills of a plugin are named after it: `plugin:skill`."""
    return _text(skill).rpartition(":")[2]


def _usage(usage: Record) -> Usage:
    """Qwen Code tells a total too, and counts what was read from the cache as input once more."""
    kinds = ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    counts = (usage.get(kind) for kind in kinds)
    counted = Usage(*(count if isinstance(count, int) else 0 for count in counts))
    return counted._replace(input=max(counted.input - counted.cache_read, 0)) if "total_tokens" in usage else counted


def _cost(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _record(value: object) -> Record:
    return value if isinstance(value, dict) else {}


def _items(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
