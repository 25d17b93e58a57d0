"""OpenAI's Codex, run as `codex exec --json`."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from skillcheck.evals.harness import Harness, Launch, Task
from skillcheck.evals.trace.failure import failed
from skillcheck.evals.trace.session import parser
from skillcheck.evals.trace.trace import Denied, Ended, Said, SkillLoaded, Spent, Started, ToolCall, ToolResult, Usage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.evals.trace.trace import Event, Record

_TOOLS = {"collab_tool_call", "command_execution", "file_change", "mcp_tool_call", "web_search"}
_SKILL = re.compile(r"skills/([^/\s'\"]+)/SKILL\.md")
_STATUS = re.compile(r"status:? (\d{3})\b")


def command(task: Task) -> Launch:
    """The prompt comes on stdin, the system prompt as the AGENTS.md of the run's own CODEX_HOME, the only one read.

    Codex has a sandbox too, which not every system lets start inside another one: it is off in ours and on elsewhere.
    """
    sandbox = "danger-full-access" if task.options.get("sandbox") == "bwrap" else "workspace-write"
    model = ("--model", task.model) if task.model else ()
    return Launch(
        ("codex", "exec", "--json", "--skip-git-repo-check", "--sandbox", sandbox, *model, "-"),
        env={"CODEX_HOME": str(task.home / ".codex")},
        files={".codex/config.toml": _config(task.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1"))},
        copies={".codex/AGENTS.md": task.system_prompt_file} if task.system_prompt_file else {},
        stdin=task.prompt.encode(),
    )


def _config(base_url: str) -> str:
    """A provider of our own, as the built-in one wants a login; all that calls elsewhere is off."""
    return f"""\
model_provider = "skillcheck"
check_for_update_on_startup = false
project_doc_max_bytes = 0

[model_providers.skillcheck]
name = "skillcheck"
base_url = {json.dumps(base_url)}
env_key = "OPENAI_API_KEY"
wire_api = "responses"
request_max_retries = 2
stream_max_retries = 2

[features]
plugins = false
apps = false

[skills.bundled]
enabled = false

[analytics]
enabled = false
"""


class _Session:
    def __init__(self) -> None:
        self.called: set[str] = set()

    def read(self, record: Record) -> Iterator[Event]:
        match record.get("type"):
            case "thread.started":
                yield Started()
            case "item.started" | "item.completed" as step:
                yield from self._item(record["item"], is_done=step == "item.completed")
            case "turn.completed":
                yield Spent(_usage(record["usage"]))
                yield Ended("completed")
            case "turn.failed":
                yield _failure(record["error"]["message"])

    def _item(self, item: Record, *, is_done: bool) -> Iterator[Event]:
        """Not each call is told when it begins. Items that are errors are warnings."""
        if item["type"] == "agent_message" and is_done:
            yield Said(item["text"])
        if item["type"] not in _TOOLS:
            return
        if item["id"] not in self.called:
            self.called.add(item["id"])
            yield _call(item)
        if is_done:
            yield from _result(item)

    def rest(self) -> Iterator[Event]:
        yield from ()


def _call(item: Record) -> ToolCall:
    about = ("command", "changes", "server", "tool", "arguments", "query")
    return ToolCall(item["id"], item["type"], {name: item[name] for name in about if name in item})


def _result(item: Record) -> Iterator[Event]:
    text = item.get("aggregated_output", "")
    wrong = item.get("status") == "failed"
    yield ToolResult(item["id"], text, wrong)
    if wrong and (text.startswith("bwrap: ") or "codex-linux-sandbox" in text):
        yield Denied(item["type"], "codex could not start its own sandbox")
    if not wrong:
        yield from map(SkillLoaded, _SKILL.findall(item.get("command", "")))


def _usage(usage: Record) -> Usage:
    written, read = usage.get("cache_write_input_tokens", 0), usage["cached_input_tokens"]
    return Usage(max(usage["input_tokens"] - written - read, 0), usage["output_tokens"], written, read)


def _failure(message: str) -> Ended:
    """Codex swallows the status of a server's failure and says this instead."""
    status = _STATUS.search(message)
    return failed(message, int(status[1]) if status else 500 if "high demand" in message else None)


HARNESS = Harness(
    "codex", command, parser(_Session), program="codex", tested="0.171.0", keys=("OPENAI_API_KEY",),
)  # fmt: skip
