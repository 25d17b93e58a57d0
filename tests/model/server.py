"""A model server on the loopback that plays a script to whatever agent asks, in the format it asks in.

It keeps no conversation: which turn comes is counted from the assistant's turns in the request, so retries, restarts
and side requests of a CLI play no turn twice and skip none.
"""

import json
import sys
import threading
from collections import Counter
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import ModuleType
from typing import Any, NamedTuple

from model import anthropic, gemini, openai_chat, openai_responses
from model.script import Script

SECRET = {"authorization", "x-api-key", "x-goog-api-key", "api-key", "proxy-authorization"}
MODEL = {"id": "scripted", "object": "model", "type": "model", "display_name": "Scripted", "name": "models/scripted"}


class Request(NamedTuple):
    """One request as it came, without its keys. `played` names the turn that answered it, `fault` what went wrong."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any = None
    played: str = ""
    fault: str = ""


class Route(NamedTuple):
    """Where a format is spoken; `streams` is None where the body tells."""

    path: str
    wire: ModuleType
    streams: bool | None = None


ROUTES = (
    Route("/messages", anthropic),
    Route("/chat/completions", openai_chat),
    Route("/responses", openai_responses),
    Route(":generateContent", gemini, streams=False),
    Route(":streamGenerateContent", gemini, streams=True),
)
COUNTS = {"/messages/count_tokens": "input_tokens", ":countTokens": "totalTokens"}


class ModelServer(ThreadingHTTPServer):
    """The server; `requests` are all that came so far."""

    daemon_threads = True

    def __init__(self, script):
        super().__init__(("127.0.0.1", 0), Handler)
        self.script, self.requests, self.stopping = script, [], threading.Event()
        self._lock, self._asked = threading.Lock(), Counter()

    @property
    def url(self):
        """Scheme, host and port."""
        return f"http://127.0.0.1:{self.server_port}"

    def turns(self):
        """The requests that were answered with a turn of the script, in order: what the agent's model saw."""
        return [request for request in self.requests if request.played not in {"", "answer"}]

    def handle_error(self, request, client_address):
        """An agent that goes away in the middle of an answer is no error here."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    def play(self, wire, body):
        """The turn for a request, its name, and the fault that is due in it."""
        turn, name = self.script.turn(wire.turns_taken(body), wire.tools(body), json.dumps(body))
        with self._lock:
            self._asked[name] += 1
            is_due = turn.fault and (turn.fault.times is None or self._asked[name] <= turn.fault.times)
        return turn, name, turn.fault if is_due else None


class Handler(BaseHTTPRequestHandler):
    """One connection. Its class attribute `responses` is the standard library's: no method may take that name."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """Keep stderr to the tests."""

    def do_GET(self):
        self._record()
        if self.path.partition("?")[0].endswith("/models"):
            self._send(200, {"object": "list", "data": [MODEL], "models": [MODEL], "has_more": False})
        else:
            self._send(404, {"error": {"message": f"no such path {self.path}"}})

    def do_HEAD(self):
        self._record()
        self._send(200, b"")

    def do_CONNECT(self):
        """An agent that takes the server for its proxy, and wants out."""
        self._record()
        self._send(403, {"error": "nothing but the loopback"})

    def do_POST(self):
        raw, path = self.rfile.read(int(self.headers["content-length"])), self.path.partition("?")[0]
        try:
            body = json.loads(raw)
        except ValueError:
            body = None
        route = next((route for route in ROUTES if path.endswith(route.path)), None)
        counted = next((name for ending, name in COUNTS.items() if path.endswith(ending)), None)
        if body is not None and route:
            self._play(route, body)
        elif body is not None and counted:
            self._record(body)
            self._send(200, {counted: len(raw) // 4})
        else:
            self._record(body)
            self._send(404, {"error": {"message": f"no such path {self.path}"}})

    def _play(self, route, body):
        wire = route.wire
        turn, name, fault = self.server.play(wire, body)
        kind = fault.kind if fault else ""
        self._record(body, name, kind)
        streams = wire.streams(body) if route.streams is None else route.streams
        match kind:
            case "status":
                extra = {} if fault.retry_after is None else {"retry-after": str(fault.retry_after)}
                self._send(fault.status, wire.refusal(fault.status), headers=extra)
            case "html":
                self._send(200, b"<html>please log in to the network</html>", "text/html")
            case "hang":
                self.server.stopping.wait()
                self.close_connection = True
            case _ if streams:
                self._stream(list(wire.events(body, turn)), kind)
            case _:
                self._whole(json.dumps(wire.plain(body, turn)).encode(), kind)

    def _record(self, body=None, played="", fault=""):
        headers = {name.lower(): value for name, value in self.headers.items()}
        shown = {name: "(redacted)" if name in SECRET else value for name, value in headers.items()}
        self.server.requests.append(Request(self.command, self.path, shown, body, played, fault))

    def _send(self, status, content, kind="application/json", headers=None):
        raw = content if isinstance(content, bytes) else json.dumps(content).encode()
        self._begin(status, {"content-type": kind, "content-length": str(len(raw)), **(headers or {})})
        self.wfile.write(raw)

    def _whole(self, raw, fault):
        sent = {"drop": raw[: len(raw) // 2], "malformed": b"{,,"}.get(fault, raw)
        length = len(raw) if fault == "drop" else len(sent)
        self._begin(200, {"content-type": "application/json", "content-length": str(length)})
        self.wfile.write(sent)
        self.close_connection = fault == "drop"

    def _stream(self, events, fault):
        self._begin(200, {"content-type": "text/event-stream", "transfer-encoding": "chunked"})
        half = len(events) // 2
        for number, (name, data) in enumerate(events):
            if fault == "drop" and number == half:
                self.close_connection = True
                return
            text = "{,," if fault == "malformed" and number == half else data
            self._chunk(_event(name, text if isinstance(text, str) else json.dumps(text)))
        self._chunk(b"")

    def _chunk(self, raw):
        self.wfile.write(b"%x\r\n%s\r\n" % (len(raw), raw))

    def _begin(self, status, headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()


def _event(name, data):
    return (f"event: {name}\n" if name else "").encode() + f"data: {data}\n\n".encode()


@contextmanager
def serve(*turns, **options):
    """Play a script to whoever asks, until the block ends: `options` are the fields of `Script`."""
    server = ModelServer(Script(turns, **options))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stopping.set()
        server.shutdown()
        server.server_close()
        thread.join()
