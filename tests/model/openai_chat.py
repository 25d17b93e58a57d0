"""OpenAI's Chat Completions API: https://platform.openai.com/docs/api-reference/chat."""

import json

from model.script import INPUT_TOKENS, OUTPUT_TOKENS, halves

USAGE = {
    "prompt_tokens": INPUT_TOKENS,
    "completion_tokens": OUTPUT_TOKENS,
    "total_tokens": INPUT_TOKENS + OUTPUT_TOKENS,
}


def turns_taken(body):
    return sum(message.get("role") == "assistant" for message in body.get("messages", []))


def tools(body):
    return [tool["function"]["name"] for tool in body.get("tools") or []]


def streams(body):
    return bool(body.get("stream"))


def plain(body, turn):
    message = {"role": "assistant", "content": turn.text or None}
    if turn.calls:
        message["tool_calls"] = _calls(body, turn)
    choice = {"index": 0, "message": message, "finish_reason": _finish_reason(turn)}
    return {**_head(body, "chat.completion"), "choices": [choice], "usage": USAGE}


def events(body, turn):
    yield None, _chunk(body, {"role": "assistant", "content": ""})
    for part in halves(turn.text):
        if part:
            yield None, _chunk(body, {"content": part})
    for index, called in enumerate(_calls(body, turn)):
        yield None, _chunk(body, {"tool_calls": [{"index": index, **called}]})
    yield None, _chunk(body, {}, _finish_reason(turn))
    yield None, {**_head(body, "chat.completion.chunk"), "choices": [], "usage": USAGE}
    yield None, "[DONE]"


def refusal(status):
    return {"error": {"message": f"scripted {status}", "type": "api_error", "code": str(status)}}


def _head(body, kind):
    number = turns_taken(body)
    return {"id": f"chatcmpl-{number}", "object": kind, "created": 0, "model": body.get("model", "scripted")}


def _chunk(body, delta, finish_reason=None):
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    return {**_head(body, "chat.completion.chunk"), "choices": [choice]}


def _calls(body, turn):
    return [
        {
            "id": f"call_{turns_taken(body)}_{number}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)},
        }
        for number, (name, arguments) in enumerate(turn.calls)
    ]


def _finish_reason(turn):
    return "tool_calls" if turn.calls else "stop"
