"""OpenAI's Responses API: https://platform.openai.com/docs/api-reference/responses."""

import json
from itertools import groupby

from model.script import INPUT_TOKENS, OUTPUT_TOKENS, halves

USAGE = {
    "input_tokens": INPUT_TOKENS,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens": OUTPUT_TOKENS,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": INPUT_TOKENS + OUTPUT_TOKENS,
}
OURS = {"function_call", "custom_tool_call", "local_shell_call", "reasoning"}


def turns_taken(body):
    """One turn is a run of items of the assistant: its text and its calls are items of their own."""
    items = body.get("input")
    ours = [_is_assistants(item) for item in items] if isinstance(items, list) else []
    return sum(is_ours for is_ours, _ in groupby(ours))


def tools(body):
    return [tool.get("name") or tool["type"] for tool in body.get("tools") or []]


def streams(body):
    return bool(body.get("stream"))


def plain(body, turn):
    return {**_response(body), "status": "completed", "output": _items(body, turn), "usage": USAGE}


def events(body, turn):
    yield from ((event["type"], event) for event in _events(body, turn))


def refusal(status):
    return {"error": {"message": f"scripted {status}", "type": "api_error", "code": str(status)}}


def _is_assistants(item):
    kind = item.get("type", "message")
    return kind in OURS or (kind == "message" and item.get("role") == "assistant")


def _response(body):
    return {
        "id": f"resp_{turns_taken(body)}",
        "object": "response",
        "created_at": 0,
        "status": "in_progress",
        "model": body.get("model", "scripted"),
        "output": [],
        "usage": None,
        "error": None,
        "incomplete_details": None,
    }


def _items(body, turn):
    number = turns_taken(body)
    texts = [
        {
            "type": "message",
            "id": f"msg_{number}",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": turn.text, "annotations": []}],
        }
    ]
    calls = [
        {
            "type": "function_call",
            "id": f"fc_{number}_{index}",
            "call_id": f"call_{number}_{index}",
            "name": name,
            "arguments": json.dumps(arguments),
            "status": "completed",
        }
        for index, (name, arguments) in enumerate(turn.calls)
    ]
    return [*(texts if turn.text else []), *calls]


def _events(body, turn):
    yield {"type": "response.created", "response": _response(body)}
    for index, item in enumerate(_items(body, turn)):
        place = {"item_id": item["id"], "output_index": index}
        yield {"type": "response.output_item.added", "output_index": index, "item": _begun(item)}
        if item["type"] == "message":
            for part in halves(turn.text):
                yield {"type": "response.output_text.delta", **place, "content_index": 0, "delta": part}
        else:
            for part in halves(item["arguments"]):
                yield {"type": "response.function_call_arguments.delta", **place, "delta": part}
        yield {"type": "response.output_item.done", "output_index": index, "item": item}
    yield {"type": "response.completed", "response": plain(body, turn)}


def _begun(item):
    return {**item, "status": "in_progress", **({"content": []} if "content" in item else {"arguments": ""})}
