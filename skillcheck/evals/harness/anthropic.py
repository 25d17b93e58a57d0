"""Our own small agent, for whoever has a key and no CLI: `python -m skillcheck.agent`, which writes Claude's stream."""

from __future__ import annotations

import sys

from skillcheck.evals.harness import MAX_TURNS, Harness, Launch, Task
from skillcheck.evals.trace.claude_stream import parse

_SKILLS = ".agents/skills"


def command(task: Task) -> Launch:
    """With `-P` the modules of the workspace are no modules of the agent's."""
    model = ("--model", task.model) if task.model else ()
    prompt_file = task.system_prompt_file
    system_prompt = ("--system-prompt-file", str(prompt_file)) if prompt_file else ()
    argv = (
        sys.executable, "-P", "-m", "skillcheck.agent", "--prompt-file", str(task.prompt_file), *model, *system_prompt,
        "--skills", str(task.work / _SKILLS), "--max-turns", str(MAX_TURNS),
    )  # fmt: skip
    return Launch(argv)


HARNESS = Harness(
    "anthropic",
    command,
    parse,
    skills_dir=_SKILLS,
    keys=("ANTHROPIC_API_KEY",),
    passes=("ANTHROPIC_BASE_URL", "ANTHROPIC_CUSTOM_HEADERS"),
)
