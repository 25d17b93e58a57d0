"""Qwen Code, run as `qwen -o stream-json`."""

from __future__ import annotations

import json

from skillcheck.evals.harness import MAX_TURNS, Harness, Launch, Task
from skillcheck.evals.trace.claude_stream import parse

_ARGV = (
    "qwen", "--auth-type", "openai", "-o", "stream-json", "--approval-mode", "yolo",
    "--max-session-turns", str(MAX_TURNS),
)  # fmt: skip
_CONTEXT = "SKILLCHECK.md"
_SETTINGS = {
    "privacy": {"usageStatisticsEnabled": False},
    "general": {"enableAutoUpdate": False},
    "security": {"auth": {"selectedType": "openai"}},
    "telemetry": {"enabled": False},
    "context": {"fileName": _CONTEXT},
}


def command(task: Task) -> Launch:
    """The prompt comes on stdin, the system prompt as the context file of the run's own HOME.

    No other context file is read, those of the workspace and of the folders above it included: its name is ours.
    """
    model = ("--model", task.model) if task.model else ()
    return Launch(
        (*_ARGV, *model),
        env={"QWEN_CODE_SUPPRESS_YOLO_WARNING": "1"},
        files={".qwen/settings.json": json.dumps(_SETTINGS)},
        copies={f".qwen/{_CONTEXT}": task.system_prompt_file} if task.system_prompt_file else {},
        stdin=task.prompt.encode(),
    )


HARNESS = Harness(
    "qwen",
    command,
    parse,
    program="qwen",
    tested="0.24.4",
    skills_dir=".qwen/skills",
    keys=("OPENAI_API_KEY",),
    passes=("OPENAI_BASE_URL", "OPENAI_MODEL"),
)
