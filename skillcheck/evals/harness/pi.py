"""The coding agent pi, run as `pi --mode json`."""

from __future__ import annotations

import json
import re
from pathlib import PurePath
from typing import TYPE_CHECKING

from skillcheck.evals.harness import Harness, Launch, Task
from skillcheck.evals.trace.failure import failed
from skillcheck.evals.trace.session import parser
from skillcheck.evals.trace.trace import Ended, Said, SkillLoaded, Spent, Started, ToolCall, ToolResult, Usage

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from skillcheck.evals.trace.trace import Event, Record

_ISOLATED = ("--no-session", "--no-skills", "--no-context-files", "--no-extensions", "--no-prompt-templates")


def command(task: Task) -> Launch:
    """The prompt comes on stdin; the only skills are those that were staged, named on the command line.

    The model is `provider/name`, such as `anthropic/…` or `openai/…`; pi takes one by the keys that it finds otherwise.
    """
    skills = tuple(word for place in task.skill_dirs for word in ("--skill", str(place)))
    system = ("--append-system-prompt", str(task.system_prompt_file)) if task.system_prompt_file else ()
    return Launch(
        ("pi", "--print", "--mode", "json", *_ISOLATED, *skills, *system, *_model(task.model)),
        env={"PI_CODING_AGENT_DIR": str(task.home / ".pi/agent"), "PI_OFFLINE": "1", "PI_TELEMETRY": "0"},
        files={".pi/agent/models.json": json.dumps({"providers": _providers(task.environ)})},
        stdin=task.prompt.encode(),
    )


def _model(name: str) -> tuple[str, ...]:
    """Split, since pi takes a prefix in the name itself for a part of other providers' names too."""
    provider, slash, rest = name.partition("/")
    if slash:
        return ("--provider", provider, "--model", rest)
    return ("--model", name) if name else ()


def _providers(environ: Mapping[str, str]) -> Mapping[str, Mapping[str, str]]:
    """Other servers for the built-in providers, where the caller names some."""
    servers = {"anthropic": environ.get("ANTHROPIC_BASE_URL"), "openai": environ.get("OPENAI_BASE_URL")}
    return {name: {"baseUrl": url} for name, url in servers.items() if url}


class _Session:
    def __init__(self) -> None:
        self.usage, self.cost_usd = Usage(), 0.0
        self.calls: dict[str, ToolCall] = {}
        self.last: Record = {}

    def read(self, record: Record) -> Iterator[Event]:
        match record.get("type"):
            case "message_end" if record["message"]["role"] == "assistant":
                self.last = record["message"]
                yield from self._message(self.last)
            case "tool_execution_start":
                call = ToolCall(record["toolCallId"], record["toolName"], record["args"])
                self.calls[call.id] = call
                yield call
            case "tool_execution_end":
                yield from _result(self.calls[record["toolCallId"]], record)
            case "agent_settled" if self.last:
                yield _end(self.last)

    def _message(self, message: Record) -> Iterator[Event]:
        """A message that failed half-way is asked for again."""
        yield Started(message["model"])
        if message["stopReason"] != "error":
            yield from (Said(part["text"]) for part in message["content"] if part["type"] == "text")
        self.usage = self.usage.plus(_usage(message["usage"]))
        self.cost_usd += message["usage"]["cost"]["total"]
        yield Spent(self.usage, self.cost_usd)

    def rest(self) -> Iterator[Event]:
        yield from ()


def _result(call: ToolCall, record: Record) -> Iterator[Event]:
    parts = record["result"]["content"]
    yield ToolResult(call.id, "\n".join(part["text"] for part in parts if part["type"] == "text"), record["isError"])
    path = PurePath(call.input.get("path", ""))
    if call.name == "read" and path.name == "SKILL.md" and not record["isError"]:
        yield SkillLoaded(path.parent.name)


def _usage(usage: Record) -> Usage:
    return Usage(usage["input"], usage["output"], usage["cacheWrite"], usage["cacheRead"])


def _end(message: Record) -> Ended:
    """What the last message says, as pi exits with 0 whatever happened."""
    match message["stopReason"]:
        case "stop":
            return Ended("completed")
        case "length":
            return Ended("context-limit", "the answer was cut off at the most tokens that the model may write")
    text = message.get("errorMessage", message["stopReason"])
    status = re.match(r"(?:OpenAI API error \()?(\d{3})\b", text)
    return failed(text, int(status[1]) if status else None)


HARNESS = Harness(
    "pi", command, parser(_Session), program="pi", tested="1.6.0", keys=("ANTHROPIC_API_KEY", "OPENAI_API_KEY"),
)  # fmt: skip
