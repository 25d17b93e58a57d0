"""Anthropic's Claude Code, run as `claude -p`."""

from __future__ import annotations

from skillcheck.evals.harness import MAX_TURNS, Harness, Launch, Task
from skillcheck.evals.trace.claude_stream import parse

_ARGV = (
    "claude", "-p", "--output-format", "stream-json", "--verbose", "--permission-mode", "acceptEdits",
    "--allowedTools", "Bash,Read,Edit,Write,Skill", "--setting-sources", "project", "--strict-mcp-config",
    "--no-session-persistence", "--max-turns", str(MAX_TURNS),
)  # fmt: skip
_ENV = {
    "DISABLE_TELEMETRY": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "DISABLE_AUTOUPDATER": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "CLAUDE_CODE_DISABLE_BUNDLED_SKILLS": "1",
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
    "CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1",
    "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1",  # else the process outlives its result
    "CLAUDE_CODE_MAX_RETRIES": "2",
    "API_TIMEOUT_MS": "60000",
}


def command(task: Task) -> Launch:
    """The prompt comes on stdin. Only the workspace's own skills are found: no memory, plug-in or CLAUDE.md of a user.

    Without the skill's folder the command line is the same, so that runs with and without it differ in its listing
    alone. acceptEdits with Bash allowed asks nothing of a user and, unlike bypassPermissions, works for root.
    """
    model = ("--model", task.model) if task.model else ()
    prompt_file = task.system_prompt_file
    system_prompt = ("--append-system-prompt-file", str(prompt_file)) if prompt_file else ()
    own = {"CLAUDE_CONFIG_DIR": str(task.home / ".claude"), "CLAUDE_CODE_TMPDIR": str(task.home / "tmp")}
    return Launch((*_ARGV, *model, *system_prompt), env={**_ENV, **own}, stdin=task.prompt.encode())


HARNESS = Harness(
    "claude-code",
    command,
    parse,
    program="claude",
    tested="2.1.332",
    skills_dir=".claude/skills",
    keys=("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"),
    passes=("ANTHROPIC_BASE_URL", "ANTHROPIC_CUSTOM_HEADERS"),
)
