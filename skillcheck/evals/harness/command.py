"""Any program, from --agent-command."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from skillcheck.errors import UsageError
from skillcheck.evals.harness import Harness, Launch, Task
from skillcheck.evals.trace.output import detected

if TYPE_CHECKING:
    from pathlib import Path


def command(task: Task) -> Launch:
    """Split the option `agent-command` as a shell would, and fill in its placeholders.

    They are {prompt}, {prompt_file}, {system_prompt_file}, {model}, {workspace} and {skill_dir}, and empty where there
    is none. Without the first two, the prompt comes on stdin. What is handed over as system prompt is also named by the
    variable SKILLCHECK_SYSTEM_PROMPT_FILE. The program is looked up on PATH; a caller that takes a path of its own
    makes it absolute first. Raises UsageError for a command that is missing or can't be split.
    """
    template = words(task.options.get("agent-command", ""))
    values = {
        "{prompt}": task.prompt,
        "{prompt_file}": str(task.prompt_file),
        "{system_prompt_file}": _path(task.system_prompt_file),
        "{model}": task.model,
        "{workspace}": str(task.work),
        "{skill_dir}": str(task.skill_dirs[0]) if task.skill_dirs else "",
    }
    named = re.compile("|".join(map(re.escape, values)))
    argv = tuple(named.sub(lambda found: values[found[0]], part) for part in template)
    is_told = any("{prompt}" in part or "{prompt_file}" in part for part in template)
    handed = task.system_prompt_file
    env = {"SKILLCHECK_SYSTEM_PROMPT_FILE": str(handed)} if handed else {}
    return Launch(argv, env=env, stdin=b"" if is_told else task.prompt.encode())


def words(template: str) -> list[str]:
    """A command line's words, one at least. Raises UsageError where it is missing or can't be split."""
    try:
        parts = shlex.split(template)
    except ValueError as error:
        message = f"--agent-command {template!r} can't be split into words: {str(error).lower()}"
        raise UsageError(message) from error
    if not parts:
        message = "harness 'command' has no command: say which program to run with --agent-command"
        raise UsageError(message)
    return parts


def _path(path: Path | None) -> str:
    return str(path) if path else ""


HARNESS = Harness("command", command, detected)
