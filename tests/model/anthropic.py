"""Anthropic's Messages API: https://platform.claude.com/docs/en/api/messages."""

import json

from model.script import INPUT_TOKENS, OUTPUT_TOKENS, halves

USAGE = {
    "input_tokens": INPUT_TOKENS,
    "output_tokens": OUTPUT_TOKENS,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 0,
}


def turns_taken(body):
    return sum(message.get("role") == "assistant" for message in body.get("messages", []))


def tools(body):
    return [tool["name"] for tool in body.get("tools") or []]


def streams(body):
    return bool(body.get("stream"))


def plain(body, turn):
    return {
        **_message(body),
        "content": list(_blocks(body, turn)),
        "stop_reason": _stop_reason(turn),
        "usage": USAGE,
    }


def events(body, turn):
    yield "message_start", {"type": "message_start", "message": _message(body)}
    for index, block in enumerate(_blocks(body, turn)):
        yield "content_block_start", {"type": "content_block_start", "index": index, "content_block": _emptied(block)}
        for delta in _deltas(block):
            yield "content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta}
        yield "content_block_stop", {"type": "content_block_stop", "index": index}
    ending = {"stop_reason": _stop_reason(turn), "stop_sequence": None}
    yield "message_delta", {"type": "message_delta", "delta": ending, "usage": USAGE}
    yield "message_stop", {"type": "message_stop"}


def refusal(status):
    kinds = {401: "authentication_error", 403: "permission_error", 404: "not_found_error", 429: "rate_limit_error",
             529: "overloaded_error"}  # fmt: skip
    return {"type": "error", "error": {"type": kinds.get(status, "api_error"), "message": f"scripted {status}"}}


def _message(body):
    return {
        "id": f"msg_{turns_taken(body)}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "scripted"),
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {**USAGE, "output_tokens": 1},
    }


def _blocks(body, turn):
    if turn.text:
        yield {"type": "text", "text": turn.text}
    for number, (name, arguments) in enumerate(turn.calls):
        yield {"type": "tool_use", "id": f"toolu_{turns_taken(body)}_{number}", "name": name, "input": arguments}


def _emptied(block):
    return {**block, "text": ""} if block["type"] == "text" else {**block, "input": {}}


def _deltas(block):
    if block["type"] == "text":
        return [{"type": "text_delta", "text": part} for part in halves(block["text"])]
    return [{"type": "input_json_delta", "partial_json": part} for part in halves(json.dumps(block["input"]))]


def _stop_reason(turn):
    return "tool_use" if turn.calls else "end_turn"
