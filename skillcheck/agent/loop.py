"""The conversation with the model: ask, do what it calls for, and ask again until it is done."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from skillcheck.agent import stream
from skillcheck.agent.stream import Ending, Record, Reply, Tally
from skillcheck.agent.tools import answer
from skillcheck.errors import SkillcheckError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from skillcheck.agent.tools import Tool

    Ask = Callable[[list[Record]], Reply]

RETRIES = 2
"""How often a request that failed for a passing reason is sent again."""
_PARTS = {"text": ("text",), "tool_use": ("id", "name")}
"""The texts that a block of a type must have."""


class Setup(NamedTuple):
    """What to ask whom. `max_turns` counts requests, `max_tokens` those of one answer."""

    key: str
    model: str
    system: str
    prompt: str
    max_turns: int
    max_tokens: int
    timeout_s: float


class ModelError(SkillcheckError):
    """No usable answer came. `status` is that of HTTP where there was one, `name` what Claude Code calls the fault."""

    def __init__(self, message: str, *, status: int | None = None, name: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.name = name


def converse(setup: Setup, tools: Sequence[Tool]) -> Iterator[Record]:
    """The events of a conversation as they happen; the last one is the result."""
    begun, tally = time.monotonic(), Tally.zero()
    try:
        with _connect(setup, tools) as ask:
            ending = yield from _turns(setup, ask, tools, tally)
    except ModelError as error:
        ending = Ending(str(error), "error_during_execution", error.status, error.name)
    yield stream.result(ending, tally, time.monotonic() - begun)


def _turns(setup: Setup, ask: Ask, tools: Sequence[Tool], tally: Tally) -> Generator[Record, None, Ending]:
    messages: list[Record] = [{"role": "user", "content": setup.prompt}]
    while tally.turns < setup.max_turns:
        reply = _reply(ask, messages, tally)
        yield from stream.assistant(reply)
        if _is_last(reply):
            return Ending(reply.text)
        messages.append({"role": "assistant", "content": reply.content})
        results = []
        for call in reply.calls:
            results.append(answer(call, tools))
            yield stream.user(results[-1])
        if results:
            messages.append({"role": "user", "content": results})
    return Ending(f"the limit of {setup.max_turns} turns is reached", "error_max_turns")


def _reply(ask: Ask, messages: list[Record], tally: Tally) -> Reply:
    """The model's next message; an empty one is asked for once more."""
    reply = ask(messages)
    tally.add(reply)
    if not reply.content:
        reply = ask(messages)
        tally.add(reply)
    return reply


def _is_last(reply: Reply) -> bool:
    """Whether the model is done; raises ModelError where its message was cut off."""
    match reply.stop_reason:
        case "max_tokens":
            message = "the answer reached the limit of --max-tokens and was cut off"
            raise ModelError(message, name="max_output_tokens")
        case "model_context_window_exceeded":
            message = "the conversation fills the model's context window"
            raise ModelError(message)
        case "refusal":
            return True
        case "pause_turn":
            return not reply.content
        case _:
            return not reply.calls


@contextmanager
def _connect(setup: Setup, tools: Sequence[Tool]) -> Iterator[Ask]:
    """How to ask the server that ANTHROPIC_BASE_URL names; its connections are closed at the end."""
    import anthropic  # noqa: PLC0415 - slow to import

    definitions: Any = [tool.definition() for tool in tools]

    def ask(messages: Any) -> Reply:
        try:
            message = client.messages.create(
                model=setup.model,
                max_tokens=setup.max_tokens,
                system=setup.system,
                tools=definitions,
                messages=messages,
            )
        except anthropic.APIStatusError as error:
            text = f"API error: {error.status_code} {error.message}"
            raise ModelError(text, status=error.status_code) from error
        except (anthropic.AnthropicError, ValueError) as error:
            cause = f" ({error.__cause__})" if error.__cause__ else ""
            text = f"API error: {error}{cause}"
            raise ModelError(text) from error
        if not isinstance(message, anthropic.types.Message):
            text = "API error: the answer is no message of the Messages API; is ANTHROPIC_BASE_URL right?"
            raise ModelError(text)
        return _checked(message.to_dict(warnings=False))

    with anthropic.Anthropic(api_key=setup.key, timeout=setup.timeout_s, max_retries=RETRIES) as client:
        yield ask


def _checked(message: Record) -> Reply:
    """A message without its empty texts, which the API doesn't take back; raises ModelError where parts are missing."""
    content = message.get("content")
    if not isinstance(content, list) or not all(map(_is_whole, content)):
        text = "API error: the answer is no whole message"
        raise ModelError(text)
    kept = [block for block in content if block["type"] != "text" or block["text"]]
    return Reply(
        str(message.get("id")), str(message.get("model")), kept, message.get("stop_reason"), message.get("usage") or {}
    )


def _is_whole(block: Any) -> bool:
    if not isinstance(block, dict):
        return False
    return all(isinstance(block.get(name), str) for name in ("type", *_PARTS.get(str(block.get("type")), ())))
