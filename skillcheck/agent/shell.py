"""The tool `bash`: commands in the working directory."""

from __future__ import annotations

import shutil
from functools import partial
from typing import TYPE_CHECKING, Any

from skillcheck import process
from skillcheck.agent.tools import Parameter, Tool, ToolError, shortened
from skillcheck.errors import SkillcheckError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_STREAM_SHARE = 14_000
"""Characters of either stream, so that a long one leaves room for the other."""


def shell(work: Path, env: Mapping[str, str], timeout_s: float) -> Tool:
    """The tool for a working directory: commands have the variables `env` and no more than `timeout_s` seconds."""
    return Tool(
        "bash",
        f"Run a shell command in {work}. Every call starts a new shell there: variables and the current directory are "
        "not kept from one call to the next. There is no terminal and nothing on standard input. The result tells the "
        "exit code and what was printed; long output is cut in the middle. What the command leaves running in the "
        "background must have its output sent to a file.",
        (
            Parameter("command", "string", "The command", required=True),
            Parameter("timeout", "number", f"Seconds before it is killed; at most, and without it, {timeout_s:g}"),
        ),
        partial(_run, work, env, timeout_s),
    )


def _run(work: Path, env: Mapping[str, str], timeout_s: float, given: Mapping[str, Any]) -> str:
    """Run a command; raises ToolError where it fails, takes too long or can't be started."""
    timeout = min(given.get("timeout", timeout_s), timeout_s)
    if timeout <= 0:
        message = f"a timeout of {timeout:g} seconds leaves no time to run"
        raise ToolError(message)
    try:
        done = process.run((_program(), "-c", given["command"]), cwd=work, timeout_s=timeout, env=env)
    except FileNotFoundError as error:
        message = f"{error.filename}: {error.strerror}"
        raise ToolError(message) from error
    except SkillcheckError as error:
        raise ToolError(str(error)) from error
    text = _told(done)
    if done.status:
        raise ToolError(text)
    return text


def _program() -> str:
    return shutil.which("bash") or "sh"


def _told(done: process.Completed) -> str:
    streams = (("stdout", done.stdout), ("stderr", done.stderr))
    parts = [f"{name}:\n{shortened(data.decode('utf-8', 'replace'), _STREAM_SHARE)}" for name, data in streams if data]
    return "\n".join((f"exit code {done.status}", *parts))
