"""The agent as its callers start it, and a server whose answers are given to the last byte."""

import io
import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import NamedTuple
from unittest.mock import patch

import pytest

from skillcheck.agent.__main__ import main
from skillcheck.evals.trace import claude_stream
from skillcheck.evals.trace.trace import Trace


class Ran(NamedTuple):
    """A finished run; `events` are the lines of stdout."""

    status: int
    events: list
    stderr: str

    @property
    def result(self):
        """The last event."""
        return self.events[-1]

    def trace(self):
        """The run as graders see it."""
        return Trace.of(claude_stream.parse(json.dumps(event).encode() for event in self.events))

    def results(self):
        """What the tools answered: text, and whether it is an error."""
        blocks = [event["message"]["content"][0] for event in self.events if event["type"] == "user"]
        return [(block["content"], block["is_error"]) for block in blocks]


WORDS = ("--prompt-file", "prompt.txt", "--model", "scripted")


def prepared(work, url, prompt="Do it.", key="a-key"):
    """Write the prompt; returns the environment, in which `work` is the home too."""
    work.joinpath("prompt.txt").write_text(prompt, "utf-8")
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    return {**kept, "HOME": str(work), "ANTHROPIC_API_KEY": key, "ANTHROPIC_BASE_URL": url}


def start(work, url):
    """Start the agent in `work`."""
    argv, pipe = (sys.executable, "-m", "skillcheck.agent", *WORDS), subprocess.PIPE
    return subprocess.Popen(argv, cwd=work, env=prepared(work, url), stdout=pipe, stderr=pipe, text=True)


def run(work, url, *options, **more):
    """Run the agent to its end, in this process: it loads its SDK for more than a second."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    out, err = io.StringIO(), io.StringIO()
    env = patch.dict(os.environ, prepared(work, url, **more), clear=True)
    try:
        with (
            env,
            patch("sys.argv", ["agent", *WORDS, *options]),
            chdir(work),
            redirect_stdout(out),
            redirect_stderr(err),
            pytest.raises(SystemExit) as ended,
        ):
            main()
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    return Ran(ended.value.code, [json.loads(line) for line in out.getvalue().splitlines()], err.getvalue())


@contextmanager
def answering(*bodies):
    """A server that gives these answers in turn, whatever it is asked; what it was asked is in `asked`."""
    left, asked = list(bodies), []

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_):
            """Keep stderr to the tests."""

        def do_POST(self):
            asked.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            raw = json.dumps(left.pop(0)).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

    server = HTTPServer(("127.0.0.1", 0), Handler)
    server.asked = asked
    server.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def message(*content, stop="end_turn"):
    """A message as the API answers."""
    usage = {"input_tokens": 100, "output_tokens": 20}
    return {"id": "msg_1", "type": "message", "role": "assistant", "model": "scripted", "content": list(content),
            "stop_reason": stop, "stop_sequence": None, "usage": usage}  # fmt: skip


def text(said):
    """A text block."""
    return {"type": "text", "text": said}


def tool(name, given, ident="toolu_1"):
    """A tool_use block."""
    return {"type": "tool_use", "id": ident, "name": name, "input": given}
