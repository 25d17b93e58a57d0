"""The Messages API of Anthropic, or of any server that speaks it, as a judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.evals.judge import Answer, Judge, Question
from skillcheck.evals.trace import Usage

if TYPE_CHECKING:
    from anthropic.types import Message

KEY = "ANTHROPIC_API_KEY"
MODEL = "claude-haiku-5-5"
BASE_URL = "https://api.anthropic.com"
MAX_TOKENS = 16_000
"""Of an answer, thinking included."""
RETRIES = 2
"""How often the client tries again by itself; what is left then has had its chance."""


def ask(question: Question) -> Answer:
    """Send one request, without a stream; the cost is unknown, as the API names no price."""
    key = question.environ.get(KEY, "").strip()
    if not key:
        return Answer("", problem=f"{KEY} is not set", retry=False)
    import anthropic  # noqa: PLC0415 - slow to load, and needed by few commands

    try:
        message = _send(question, key)
    except anthropic.APITimeoutError:
        problem = f"the grader's model did not answer in {question.timeout_s:g} seconds"
    except anthropic.AuthenticationError:
        problem = f"the key in {KEY} was refused"
    except anthropic.APIStatusError as error:
        problem = f"the grader's model failed: {error.message}"
    except anthropic.APIConnectionError as error:
        problem = f"the grader's model can't be reached: {error.__cause__ or error}"
    except (anthropic.APIError, ValueError) as error:  # a body that is no JSON, a key that is no ASCII
        return Answer("", problem=f"the grader's model gave no answer: {type(error).__name__}")
    else:
        return _read(message) if isinstance(message, anthropic.types.Message) else _no_message(message)
    return Answer("", problem=problem, retry=False)


def _send(question: Question, key: str) -> Message:
    """The server's message; or text, whatever the type says, where the server sent no JSON.

    The answer's form is forced by its schema, not by a tool: models that think refuse a forced tool.
    """
    import anthropic  # noqa: PLC0415 - see above

    url = question.environ.get("ANTHROPIC_BASE_URL") or BASE_URL
    with anthropic.Anthropic(api_key=key, base_url=url, timeout=question.timeout_s, max_retries=RETRIES) as client:
        return client.messages.create(
            model=question.model or MODEL,
            max_tokens=MAX_TOKENS,
            messages=[{"role": "user", "content": question.prompt}],
            output_config={"format": {"type": "json_schema", "schema": dict(question.schema)}},
        )


def _no_message(body: object) -> Answer:
    return Answer(str(body), problem="the grader's server sent no message: is ANTHROPIC_BASE_URL right?")


def _read(message: Message) -> Answer:
    """Fields may be missing, as the client doesn't check what the server sends."""
    text = "".join(getattr(block, "text", None) or "" for block in message.content or ())
    stopped = message.stop_reason
    problem = "" if stopped == "end_turn" else f"the grader's model stopped before its answer was whole: {stopped}"
    return Answer(text, message.model, _usage(message), problem=problem)


def _usage(message: Message) -> Usage | None:
    spent = message.usage
    written, read = spent.cache_creation_input_tokens or 0, spent.cache_read_input_tokens or 0
    return Usage(spent.input_tokens, spent.output_tokens, written, read)


JUDGE = Judge("api", ask, keys=(KEY,), model=MODEL)
