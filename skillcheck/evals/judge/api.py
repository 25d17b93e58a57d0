"""The Messages API of Anthropic, or of any server that speaks it, as a judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.evals.judge import Answer, Judge, Question, usage_of

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
    if not (key.isascii() and key.isprintable()):  # it can't be sent, and the client's message would quote it
        return Answer("", problem=f"{KEY} holds characters that no key has", retry=False)
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
    except (anthropic.APIError, ValueError) as error:  # such as a body that is no JSON
        return Answer("", problem=f"the grader's model gave no answer: {type(error).__name__}")
    else:
        return _read(message)
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


def _read(message: object) -> Answer:
    """What the server sent, of which the client checks nothing."""
    import anthropic  # noqa: PLC0415 - see above

    if not isinstance(message, anthropic.types.Message):
        return Answer(str(message), problem="the grader's server sent no message: is ANTHROPIC_BASE_URL right?")
    told = message.to_dict(warnings=False)
    content = told.get("content")
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    text = "".join(str(block.get("text", "")) for block in blocks)
    stopped = told.get("stop_reason")
    problem = "" if stopped == "end_turn" else f"the grader's model stopped before its answer was whole: {stopped}"
    return Answer(text, str(told.get("model", "")), usage_of(told.get("usage")), problem=problem)


JUDGE = Judge("api", ask, keys=(KEY,), model=MODEL)
