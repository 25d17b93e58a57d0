"""The agent as its callers start it, and a server whose answers are given to the last byte."""

import json
import os
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import NamedTuple

from skillcheck.evals import claude_stream
from skillcheck.evals.trace import Trace


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


def start(work, url, *options, prompt="Do it.", key="a-key"):
    """Start the agent in `work`, which is its home too."""
    work.joinpath("prompt.txt").write_text(prompt, "utf-8")
    argv = (sys.executable, "-m", "skillcheck.agent", "--prompt-file", "prompt.txt", "--model", "scripted", *options)
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    env = {**kept, "HOME": str(work), "ANTHROPIC_API_KEY": key, "ANTHROPIC_BASE_URL": url}
    return subprocess.Popen(argv, cwd=work, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run(work, url, *options, **more):
    """Run the agent to its end."""
    with start(work, url, *options, **more) as child:
        out, err = child.communicate(timeout=60)
    return Ran(child.returncode, [json.loads(line) for line in out.splitlines()], err)


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
