"""The agent opencode, run as `opencode run --format json`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from skillcheck.evals.harness import Harness, Launch, Task
from skillcheck.evals.trace.failure import failed
from skillcheck.evals.trace.session import parser
from skillcheck.evals.trace.trace import Denied, Ended, Said, SkillLoaded, Spent, ToolCall, ToolResult, Usage

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from skillcheck.evals.trace.trace import Event, Record

_VAIN = 3
_ENDS = {
    "stop": Ended("completed"),
    "length": Ended("context-limit", "the answer was cut off at the most tokens that the model may write"),
    "unknown": Ended("infra-protocol", "the model's server gave no reason to stop"),
}
_OFF = ("AUTOUPDATE", "DEFAULT_PLUGINS", "LSP_DOWNLOAD", "MODELS_FETCH", "PROJECT_CONFIG")


def command(task: Task) -> Launch:
    """The prompt comes on stdin; a title is given, as the agent would ask the model for one.

    The model is `provider/name`, such as `anthropic/…` or `openai/…`; opencode takes one by the keys that it finds
    otherwise.
    """
    model = ("--model", task.model) if task.model else ()
    config = {
        "share": "disabled",
        "autoupdate": False,
        "snapshot": False,
        "permission": "allow",
        "provider": _providers(task.environ),
        "instructions": [str(task.system_prompt_file)] if task.system_prompt_file else [],
    }
    return Launch(
        ("opencode", "run", "--format", "json", "--title", "skillcheck", *model),
        env={f"OPENCODE_DISABLE_{what}": "1" for what in _OFF},
        files={".config/opencode/opencode.json": json.dumps(config)},
        stdin=task.prompt.encode(),
    )


def _providers(environ: Mapping[str, str]) -> Mapping[str, object]:
    """Other servers for the built-in providers, where the caller names some; opencode wants both with `/v1`."""
    anthropic = environ.get("ANTHROPIC_BASE_URL")
    servers = {"anthropic": anthropic and f"{anthropic.rstrip('/')}/v1", "openai": environ.get("OPENAI_BASE_URL")}
    return {name: {"options": {"baseURL": url}} for name, url in servers.items() if url}


class _Session:
    """There is no last event: the run ended as the last step or error says."""

    def __init__(self) -> None:
        self.usage, self.cost_usd = Usage(), 0.0
        self.vain = 0
        self.end: Ended | None = None

    def read(self, record: Record) -> Iterator[Event]:
        match record.get("type"):
            case "text":
                yield Said(record["part"]["text"])
            case "tool_use":
                self.vain = 0
                yield from _tool(record["part"])
            case "step_finish":
                yield self._spent(record["part"])
                yield from self._answered(_ENDS.get(record["part"]["reason"]))
            case "error":
                yield from self._answered(_failure(record["error"]))

    def _spent(self, step: Record) -> Spent:
        self.usage, self.cost_usd = self.usage.plus(_usage(step["tokens"])), self.cost_usd + step["cost"]
        return Spent(self.usage, self.cost_usd)

    def _answered(self, end: Ended | None) -> Iterator[Event]:
        """A server that answers nonsense is asked for ever: `_VAIN` bad answers without a call between are the end."""
        if self.vain == _VAIN:
            return
        self.end = end
        if end and end.how != "completed":
            self.vain += 1
            if self.vain == _VAIN:
                yield end

    def rest(self) -> Iterator[Event]:
        if self.end:
            yield self.end


def _tool(part: Record) -> Iterator[Event]:
    """A call and its result, which come as one event."""
    name, state = part["tool"], part["state"]
    error = state["error"] if state["status"] == "error" else ""
    yield ToolCall(part["callID"], name, state["input"])
    yield ToolResult(part["callID"], error or state["output"], bool(error))
    if "user rejected permission" in error:
        yield Denied(name, error)
    elif name == "skill" and "ripgrep" in error:
        yield Denied(name, "opencode loads no skill without rg on PATH")
    elif name == "skill" and not error:
        yield SkillLoaded(state["input"]["name"])


def _usage(tokens: Record) -> Usage:
    cache = tokens["cache"]
    return Usage(tokens["input"], tokens["output"] + tokens["reasoning"], cache["write"], cache["read"])


def _failure(error: Record) -> Ended:
    data = error.get("data", {})
    return failed(f"{error['name']}: {data.get('message', '')}", data.get("statusCode"))


HARNESS = Harness(
    "opencode", command, parser(_Session), program="opencode", tested="1.18.33",
    keys=("ANTHROPIC_API_KEY", "OPENAI_API_KEY"),
)  # fmt: skip
