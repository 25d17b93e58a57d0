"""The real client against a server on the loopback that plays whole HTTP answers in turn."""

import json
import re
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

import pytest
from judges.conftest import MET, UNMET, answer

from skillcheck.evals.grading.rubric import grade, schema
from skillcheck.evals.judge import named
from skillcheck.evals.judge.api import MODEL
from skillcheck.evals.trace.trace import Usage

pytestmark = pytest.mark.usefixtures("impatient")
JUDGE = named("api")
SPENT = {"input_tokens": 5, "output_tokens": 7, "cache_creation_input_tokens": 11, "cache_read_input_tokens": None}


class Reply(NamedTuple):
    body: str
    status: int = 200
    kind: str = "application/json"
    delay_s: float = 0


def says(text, stop="end_turn", **changes):
    content = [{"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": text}]
    message = {"id": "m", "type": "message", "role": "assistant", "model": "the-model", "content": content}
    return Reply(json.dumps({**message, "stop_reason": stop, "stop_sequence": None, "usage": SPENT, **changes}))


def fails(status, message="scripted"):
    return Reply(json.dumps({"type": "error", "error": {"type": "an_error", "message": message}}), status)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.requests.append((self.path, dict(self.headers), body))
        reply = self.server.replies.pop(0) if len(self.server.replies) > 1 else self.server.replies[0]
        if callable(reply):
            reply = reply(body)
        self.server.ended.wait(reply.delay_s)
        raw = reply.body.encode()
        self.send_response(reply.status)
        for header in (("content-type", reply.kind), ("content-length", str(len(raw)))):
            self.send_header(*header)
        self.end_headers()
        self.wfile.write(raw)


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """A client that gave up is none of ours."""


@contextmanager
def serving(replies):
    with Server(("127.0.0.1", 0), Handler) as server:
        server.replies, server.requests, server.ended = list(replies), [], threading.Event()
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.ended.set()
            server.shutdown()
            thread.join()


@pytest.fixture
def graded(subject, question):
    """Grade by a server that plays these replies, the last one again and again; also the requests it got."""

    def grading(*replies, key="sk-secret", **changes):
        with serving(replies) as server:
            url = f"http://127.0.0.1:{server.server_port}"
            environ = {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": key}
            return grade(subject, JUDGE, question._replace(environ=environ, **changes)), server.requests

    return grading


def test_an_answer_is_graded_and_its_usage_told_but_no_price(graded):
    grading, _ = graded(says(answer("pf")))
    assert [(one.text, one.passed) for one in grading.judgements] == [(MET, True), (UNMET, False)]
    assert (grading.usage, grading.cost_usd) == (Usage(5, 7, 11, 0), None)
    assert grading.answers[0].model == "the-model"


def test_one_request_forces_the_form_without_a_stream_or_a_tool(graded):
    _, [(path, headers, body)] = graded(says(answer("pf")), key=" sk-secret\n")
    assert path == "/v1/messages"
    assert {"sk-secret", "Bearer sk-secret"} & set(headers.values())  # it depends on the client's version
    assert body["output_config"]["format"] == {"type": "json_schema", "schema": schema(2)}
    assert body["model"] == MODEL
    assert not body.get("stream")
    assert not body.get("tools")
    assert MET in body["messages"][0]["content"]


def test_another_model_is_asked_where_one_is_named(graded):
    _, [(_, _, body)] = graded(says(answer("pf")), model="claude-other")
    assert body["model"] == "claude-other"


@pytest.mark.parametrize("status", [429, 500, 529])
def test_a_fault_that_passes_is_tried_again(graded, status):
    grading, requests = graded(fails(status), says(answer("pf")))
    assert (grading.problem, len(grading.answers), len(requests)) == ("", 1, 2)


@pytest.mark.parametrize(
    ("reply", "problem", "requests"),
    [
        (fails(401), "the key in ANTHROPIC_API_KEY was refused", 1),
        (fails(400, "too long"), "the grader's model failed: .*too long", 1),
        (fails(429, "slow down"), "the grader's model failed: .*slow down", 3),
        (fails(500, "broken"), "the grader's model failed: .*broken", 3),
        (Reply("<html>", 502, "text/html"), "the grader's model failed: .*<html>", 3),
    ],
    ids=["key", "request", "rate", "server", "gateway"],
)
def test_a_fault_that_stays_is_told_and_not_tried_beyond_the_client(graded, reply, problem, requests):
    grading, seen = graded(reply)
    assert grading.judgements == ()
    assert re.search(problem, grading.problem)
    assert (len(seen), len(grading.answers)) == (requests, 1)


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (Reply("<html>hello</html>", kind="text/html"), "sent no message: is ANTHROPIC_BASE_URL right?"),
        (Reply("{broken"), "gave no answer: JSONDecodeError"),
        (Reply("[]"), "sent no message: is ANTHROPIC_BASE_URL right?"),
        (Reply("{}"), "stopped before its answer was whole: None"),
        (says(answer("pf"), "max_tokens"), "stopped before its answer was whole: max_tokens"),
        (says("", "refusal"), "stopped before its answer was whole: refusal"),
        (says(answer("pf"), content=[]), 'holds no JSON object with "expectations"'),
        (says(answer("pp").replace('"id": 2', '"id": 3')), "the ids in the answer are [1, 3], not 1 to 2, each once"),
        (lambda body: says(body["messages"][0]["content"]), "the answer repeats the prompt"),
    ],
    ids=["page", "broken", "list", "empty", "cut off", "refusal", "nothing said", "wrong ids", "echo"],
)
def test_an_answer_of_no_use_is_asked_for_twice_and_kept(graded, reply, problem):
    grading, requests = graded(reply)
    assert grading.judgements == ()
    assert problem in grading.problem
    assert len(requests) == len(grading.answers) == 2


def test_the_raw_page_is_kept(graded):
    grading, _ = graded(Reply("<html>hello</html>", kind="text/html"))
    assert grading.answers[0].text == "<html>hello</html>"


def test_a_hang_ends(graded):
    began = time.monotonic()
    grading, requests = graded(says(answer("pf"))._replace(delay_s=60), timeout_s=0.2)
    assert grading.problem == "the grader's model did not answer in 0.2 seconds"
    assert (len(grading.answers), len(requests)) == (1, 3)
    assert time.monotonic() - began < 10


def test_a_server_that_is_not_there_is_told(subject, question):
    environ = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9", "ANTHROPIC_API_KEY": "k"}
    grading = grade(subject, JUDGE, question._replace(environ=environ))
    assert grading.problem.startswith("the grader's model can't be reached: ")


@pytest.mark.parametrize(
    ("key", "problem"),
    [
        (" ", "ANTHROPIC_API_KEY is not set"),
        ("schlüssel", "ANTHROPIC_API_KEY holds characters that no key has"),
        ("sk-\0", "ANTHROPIC_API_KEY holds characters that no key has"),
    ],
    ids=["blank", "letters", "control"],
)
def test_without_a_key_nothing_is_sent(graded, key, problem):
    grading, requests = graded(says(answer("pf")), key=key)
    assert grading.problem == problem
    assert requests == []


def test_no_message_holds_the_key(graded):
    grading, _ = graded(fails(401), key="sk-very-secret")
    assert "sk-very-secret" not in repr(grading)
