"""Google's Gemini CLI, run as `gemini --output-format stream-json`."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from skillcheck.evals.harness import MAX_TURNS, Harness, Launch, Task
from skillcheck.evals.trace.failure import failed
from skillcheck.evals.trace.session import parser
from skillcheck.evals.trace.trace import Denied, Ended, Said, SkillLoaded, Spent, Started, ToolCall, ToolResult, Usage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.evals.trace.trace import Event, Record

_SETTINGS = {
    "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False, "maxAttempts": 3},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "model": {"maxSessionTurns": MAX_TURNS},
    "skills": {"disabled": ["skill-creator", "antigravity-support"]},
}
# Unknown tools of other names are a model's invention, no fault of the setup.
_GATED = {"activate_skill", "replace", "run_shell_command", "web_fetch", "write_file"}


def command(task: Task) -> Launch:
    """The prompt comes on stdin, the system prompt as the GEMINI.md of the run's own HOME.

    Left alone, gemini asks a model which model to ask, so that one run has several; `pro` is the one for such work.
    """
    return Launch(
        ("gemini", "--output-format", "stream-json", "--approval-mode", "yolo", "--model", task.model or "pro"),
        env={"GEMINI_CLI_TRUST_WORKSPACE": "true"},
        files={".gemini/settings.json": json.dumps(_SETTINGS)},
        copies={".gemini/GEMINI.md": task.system_prompt_file} if task.system_prompt_file else {},
        stdin=task.prompt.encode(),
    )


class _Session:
    def __init__(self) -> None:
        self.text, self.end = "", Ended("completed")
        self.calls: dict[str, ToolCall] = {}

    def read(self, record: Record) -> Iterator[Event]:
        """A text comes in pieces; it is whole when something else comes."""
        if record.get("type") == "message" and record["role"] == "assistant":
            self.text += record["content"]
        else:
            yield from self.rest()
            yield from self._other(record)

    def _other(self, record: Record) -> Iterator[Event]:
        match record.get("type"):
            case "init":
                yield Started(record["model"])
            case "tool_use":
                call = ToolCall(record["tool_id"], record["tool_name"], record["parameters"])
                self.calls[call.id] = call
                yield call
            case "tool_result":
                yield from _result(self.calls[record["tool_id"]], record)
            case "error" if record["message"].startswith("Loop detected"):
                self.end = Ended("agent-loop", record["message"])
            case "result":
                yield Spent(_usage(record["stats"]))
                yield self.end if record["status"] == "success" else _failure(record["error"])

    def rest(self) -> Iterator[Event]:
        if self.text:
            yield Said(self.text)
            self.text = ""


def _result(call: ToolCall, record: Record) -> Iterator[Event]:
    yield ToolResult(call.id, record.get("output", ""), record["status"] != "success")
    if record.get("error", {}).get("type") == "tool_not_registered" and call.name in _GATED:
        yield Denied(call.name, "gemini took the tool away")
    if call.name == "activate_skill" and record["status"] == "success":
        yield SkillLoaded(call.input["name"])


def _usage(stats: Record) -> Usage:
    return Usage(stats["input"], stats["output_tokens"], 0, stats["cached"])


def _failure(error: Record) -> Ended:
    """Of too many requests, gemini tells advice in place of the status."""
    message = error["message"]
    if error["type"] == "FatalTurnLimitedError":
        return Ended("turn-limit", message)
    status = re.search(r'\[API Error: (?:\D*"code":\s*)?(\d{3})\b', message)
    return failed(message, int(status[1]) if status else 429 if "wait and try again later" in message else None)


HARNESS = Harness(
    "gemini", command, parser(_Session), program="gemini", tested="0.61.0", keys=("GEMINI_API_KEY",),
    passes=("GOOGLE_GEMINI_BASE_URL",),
)  # fmt: skip
