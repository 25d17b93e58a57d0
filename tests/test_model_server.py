import http.client
import json
import socket

import pytest
from model.script import Call, Turn, call, say
from model.server import serve

TURNS = (call("bash", command="ls"), say("It is done"))
TOOL = {"name": "bash", "description": "", "input_schema": {"type": "object"}}
OTHER = {**TOOL, "name": "edit"}


def anthropic(*roles, tools=(TOOL, OTHER), **more):
    messages = [{"role": role, "content": "x"} for role in roles]
    return "/v1/messages?beta=true", {"model": "m", "messages": messages, "tools": list(tools), **more}


def chat(*roles, **more):
    _, body = anthropic(*roles)
    tools = [{"type": "function", "function": {"name": tool["name"]}} for tool in body["tools"]]
    return "/v1/chat/completions", {**body, "tools": tools, **more}


def responses(*roles, **more):
    tools = [{"type": "function", "name": "bash"}, {"type": "web_search"}]
    items = [{"type": "message", "role": role, "content": []} for role in roles]
    return "/v1/responses", {"model": "m", "input": items, "tools": tools, **more}


def gemini(*roles, stream=False):
    method = "streamGenerateContent?alt=sse" if stream else "generateContent"
    contents = [{"role": {"assistant": "model"}.get(role, role), "parts": []} for role in roles]
    tools = [{"functionDeclarations": [{"name": "bash"}, {"name": "edit"}]}]
    return f"/v1beta/models/m:{method}", {"contents": contents, "tools": tools}


FORMATS = {
    "anthropic": anthropic,
    "chat": chat,
    "responses": responses,
    "gemini": gemini,
}
every_format = pytest.mark.parametrize("asked", FORMATS.values(), ids=FORMATS)


class Answer:
    def __init__(self, reply):
        self.status, self.headers, self.text = reply.status, reply.headers, reply.read().decode()

    @property
    def json(self):
        return json.loads(self.text)

    @property
    def events(self):
        lines = [line.removeprefix("data: ") for line in self.text.splitlines() if line.startswith("data: ")]
        return [json.loads(line) for line in lines if line != "[DONE]"]


def post(server, request, timeout=5, **headers):
    path, body = request
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=timeout)
    try:
        connection.request("POST", path, json.dumps(body), headers)
        with connection.getresponse() as response:  # a connection that is to be closed leaves that to it
            return Answer(response)
    finally:
        connection.close()


def outcome(answer):
    """The calls and the text in a whole answer, of whatever format."""
    match answer:
        case {"content": blocks}:
            calls = [(block["name"], block["input"]) for block in blocks if block["type"] == "tool_use"]
            return calls, "".join(block.get("text", "") for block in blocks)
        case {"choices": [{"message": message}]}:
            called = [tool_call["function"] for tool_call in message.get("tool_calls", [])]
            return [(one["name"], json.loads(one["arguments"])) for one in called], message["content"] or ""
        case {"output": items}:
            calls = [(item["name"], json.loads(item["arguments"])) for item in items if "arguments" in item]
            return calls, "".join(item["content"][0]["text"] for item in items if "content" in item)
        case {"candidates": [{"content": {"parts": parts}}]}:
            called = [part["functionCall"] for part in parts if "functionCall" in part]
            return [(one["name"], one["args"]) for one in called], "".join(part.get("text", "") for part in parts)


def streamed(asked, events):
    """The calls and the text that a stream adds up to."""
    if asked is anthropic:
        deltas = [event["delta"] for event in events if event["type"] == "content_block_delta"]
        names = [event["content_block"]["name"] for event in events if "name" in event.get("content_block", {})]
        arguments = "".join(delta.get("partial_json", "") for delta in deltas)
        text = "".join(delta.get("text", "") for delta in deltas)
    elif asked is chat:
        deltas = [event["choices"][0]["delta"] for event in events if event["choices"]]
        called = [one["function"] for delta in deltas for one in delta.get("tool_calls", [])]
        names, arguments = [one["name"] for one in called], "".join(one["arguments"] for one in called)
        text = "".join(delta.get("content", "") for delta in deltas)
    elif asked is responses:
        kinds = "response.function_call_arguments.delta", "response.output_text.delta"
        arguments, text = ("".join(event["delta"] for event in events if event["type"] == kind) for kind in kinds)
        names = [event["item"]["name"] for event in events if event["type"] == "response.output_item.done"
                 and "name" in event["item"]]  # fmt: skip
    else:
        parts = [part for event in events for part in event["candidates"][0]["content"]["parts"]]
        called = [part["functionCall"] for part in parts if "functionCall" in part]
        names, arguments = [one["name"] for one in called], "".join(json.dumps(one["args"]) for one in called)
        text = "".join(part.get("text", "") for part in parts)
    return [(name, json.loads(arguments)) for name in names], text


@every_format
def test_the_turn_is_counted_from_the_conversation_not_from_the_requests(asked):
    with serve(*TURNS) as server:
        for _ in range(2):
            assert outcome(post(server, asked("user")).json) == ([("bash", {"command": "ls"})], "")
        assert outcome(post(server, asked("user", "assistant", "user")).json) == ([], "It is done")
        assert outcome(post(server, asked("user", "assistant", "user", "assistant", "user")).json) == ([], "DONE")


@every_format
def test_a_stream_adds_up_to_the_whole_answer(asked):
    with serve(*TURNS) as server:
        for roles in (("user",), ("user", "assistant", "user")):
            stream = post(server, asked(*roles, stream=True))
            assert stream.headers["content-type"] == "text/event-stream"
            assert streamed(asked, stream.events) == outcome(post(server, asked(*roles)).json)


@every_format
def test_every_turn_tells_what_it_used(asked):
    with serve(*TURNS) as server:
        for answer in (post(server, asked("user")).text, post(server, asked("user", stream=True)).text):
            assert '": 100' in answer
            assert '": 20' in answer


def test_text_and_calls_of_one_turn_come_together():
    turn = Turn("Two at once", (Call("bash", {"command": "a"}), Call("edit", {"path": "b"})))
    with serve(turn) as server:
        calls, text = outcome(post(server, anthropic("user")).json)
    assert (calls, text) == ([("bash", {"command": "a"}), ("edit", {"path": "b"})], "Two at once")


def test_a_text_and_its_calls_are_one_turn_of_responses():
    items = [{"type": "message", "role": "user"}, {"type": "message", "role": "assistant"},
             {"type": "function_call"}, {"type": "function_call"}, {"type": "function_call_output"}]  # fmt: skip
    with serve(*TURNS) as server:
        path, body = responses("user")
        assert outcome(post(server, (path, {**body, "input": items})).json) == ([], "It is done")


def test_a_request_without_tools_takes_no_turn():
    with serve(*TURNS, answer={"passed": True}) as server:
        assert outcome(post(server, anthropic("user", tools=())).json) == ([], '{"passed": true}')
        assert server.turns() == []


def test_a_request_of_one_tool_is_answered_with_it():
    with serve(*TURNS, answer={"passed": True}) as server:
        only = [{**TOOL, "name": "record"}]
        assert outcome(post(server, anthropic("user", tools=only)).json) == ([("record", {"passed": True})], "")
        assert outcome(post(server, anthropic("user", "assistant", "user", tools=only)).json) == ([], "DONE")


def test_the_last_turn_repeats_for_ever():
    with serve(call("bash", command="ls"), repeat=True) as server:
        conversation = ("user", *("assistant", "user") * 9)
        assert outcome(post(server, anthropic(*conversation)).json) == ([("bash", {"command": "ls"})], "")


@every_format
@pytest.mark.parametrize("status", [401, 403, 404, 429, 500, 529])
def test_a_refusal_has_its_status_and_says_so(asked, status):
    with serve(say("x").failing("status", status)) as server:
        answer = post(server, asked("user"))
        assert answer.status == status
        assert str(status) in answer.json["error"]["message"]


def test_a_fault_ends_after_its_times():
    with serve(say("Well again").failing("status", 429, times=2, retry_after=1)) as server:
        answers = [post(server, anthropic("user")) for _ in range(3)]
        assert [answer.status for answer in answers] == [429, 429, 200]
        assert [answer.headers["retry-after"] for answer in answers] == ["1", "1", None]
        assert [request.fault for request in server.requests] == ["status", "status", ""]


def test_an_empty_turn_has_no_content():
    with serve(Turn()) as server:
        assert outcome(post(server, anthropic("user")).json) == ([], "")
        assert streamed(anthropic, post(server, anthropic("user", stream=True)).events) == ([], "")


@every_format
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
def test_a_drop_breaks_off_half_way(asked, stream):
    with serve(say("Never heard").failing("drop")) as server, pytest.raises(http.client.IncompleteRead):
        post(server, asked("user", stream=stream))


@every_format
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
def test_what_is_malformed_is_no_json(asked, stream):
    with serve(say("Never heard").failing("malformed")) as server:
        answer = post(server, asked("user", stream=stream))
        assert answer.status == 200
        with pytest.raises(json.JSONDecodeError):
            _ = answer.events if stream else answer.json


def test_a_web_page_comes_with_status_200():
    with serve(say("x").failing("html")) as server:
        answer = post(server, anthropic("user"))
        assert (answer.status, answer.headers["content-type"], answer.text[:6]) == (200, "text/html", "<html>")


def test_a_hang_sends_nothing_and_ends_with_the_server():
    with serve(say("x").failing("hang")) as server, pytest.raises(TimeoutError):
        post(server, anthropic("user"), timeout=0.1)
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", server.server_port))


def test_requests_are_kept_without_their_keys():
    with serve(*TURNS) as server:
        post(server, anthropic("user"), **{"x-api-key": "sk-1234", "Authorization": "Bearer sk-1234"})
        (request,) = server.requests
        assert (request.method, request.path, request.played) == ("POST", "/v1/messages?beta=true", "turn 0")
        assert request.body["messages"] == [{"role": "user", "content": "x"}]
        assert "sk-1234" not in str(request)
        assert request.headers["x-api-key"] == "(redacted)"


@pytest.mark.parametrize(
    ("path", "field"),
    [("/v1/messages/count_tokens", "input_tokens"), ("/v1beta/models/m:countTokens", "totalTokens")],
    ids=["anthropic", "gemini"],
)
def test_tokens_are_counted(path, field):
    with serve() as server:
        assert post(server, (path, {"messages": ["x" * 400]})).json[field] >= 100
        assert server.turns() == []


def get(server, method, path):
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=5)
    try:
        connection.request(method, path)
        with connection.getresponse() as response:  # a connection that is to be closed leaves that to it
            return Answer(response)
    finally:
        connection.close()


@pytest.mark.parametrize("path", ["/v1/models", "/v1beta/models?pageSize=9"])
def test_models_are_listed(path):
    with serve() as server:
        assert "scripted" in get(server, "GET", path).text


def test_there_is_no_way_out():
    with serve() as server:
        assert get(server, "CONNECT", "registry.npmjs.org:443").status == 403
        assert server.requests[0].path == "registry.npmjs.org:443"


def test_unknown_paths_are_not_found():
    with serve() as server:
        assert get(server, "GET", "/nowhere").status == 404
        assert post(server, ("/nowhere", {})).status == 404
        assert get(server, "HEAD", "/").status == 200
