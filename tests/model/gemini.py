"""Google's Gemini API: https://ai.google.dev/api/generate-content."""

from model.script import INPUT_TOKENS, OUTPUT_TOKENS, halves

USAGE = {
    "promptTokenCount": INPUT_TOKENS,
    "candidatesTokenCount": OUTPUT_TOKENS,
    "totalTokenCount": INPUT_TOKENS + OUTPUT_TOKENS,
}


def turns_taken(body):
    return sum(content.get("role") == "model" for content in body.get("contents", []))


def tools(body):
    return [function["name"] for tool in body.get("tools") or [] for function in tool.get("functionDeclarations", [])]


def plain(_, turn):
    return _part_of_answer([part for parts in _parts(turn) for part in parts], "STOP")


def events(_, turn):
    for parts in _parts(turn):
        yield None, _part_of_answer(parts)
    yield None, _part_of_answer([], "STOP")


def refusal(status):
    return {"error": {"code": status, "message": f"scripted {status}", "status": "SCRIPTED"}}


def _parts(turn):
    yield from ([{"text": part}] for part in halves(turn.text) if part)
    yield from ([{"functionCall": {"name": name, "args": arguments}}] for name, arguments in turn.calls)


def _part_of_answer(parts, finish_reason=None):
    candidate = {"index": 0, "content": {"role": "model", "parts": parts}}
    if finish_reason:
        candidate["finishReason"] = finish_reason
    return {"candidates": [candidate], "usageMetadata": USAGE, "modelVersion": "scripted", "responseId": "scripted"}
