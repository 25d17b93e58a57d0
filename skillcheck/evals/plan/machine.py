"""What this machine has of what a run needs: programs, their versions, credentials by name."""

from __future__ import annotations

import shlex
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from skillcheck.errors import SkillcheckError, UsageError
from skillcheck.evals import judge as judges
from skillcheck.evals.harness.command import words
from skillcheck.evals.plan.settings import NO_JUDGE
from skillcheck.process import run

if TYPE_CHECKING:
    from collections.abc import Mapping

    from skillcheck.evals.harness import Harness
    from skillcheck.evals.judge import Judge
    from skillcheck.evals.plan.settings import Settings

COMMAND = "command"
"""The judge, and the harness, that is any program of the caller's."""
_VERSION_S = 60
"""The slowest CLI takes up to 12 seconds to tell its version on a busy machine."""


class Machine(NamedTuple):
    """`program` is the agent's on this machine, None where there is none to find; `version` is its own answer.

    `agent_lacks` and `grader_lacks` say what a run would still need, one line each.
    """

    program: Path | None
    version: str
    agent_lacks: tuple[str, ...] = ()
    grader_lacks: tuple[str, ...] = ()

    def other_version(self, harness: Harness) -> str:
        """A warning where the agent is another than the one that its harness was tested with, or empty."""
        if not self.version or harness.tested in self.version:
            return ""
        return (
            f"{harness.program} tells the version {self.version!r}; {harness.name} was tested with {harness.tested!r}"
        )


def asked(harness: Harness, settings: Settings) -> tuple[str, tuple[str, ...]]:
    """The program of an agent, and the variables of which it needs one; either may be empty.

    A command in the place of the agent's own is the user's affair: it may need no key.
    """
    command = overriding(harness, settings)
    return (words(command)[0], ()) if command else (harness.program, harness.keys)


def overriding(harness: Harness, settings: Settings) -> str:
    """The user's command in the place of the agent's own, or empty."""
    return settings.options.get("override", "") if harness.is_agent else ""


def look(harness: Harness, judge: Judge | None, settings: Settings, environ: Mapping[str, str]) -> Machine:
    """Look up programs on PATH and credentials in the environment, by name only; nothing is spent.

    Nobody knows how to ask a command of the user's for its version.
    """
    program, keys = asked(harness, settings)
    own_agent, own_grader = _own(settings, environ)
    agent = (*lacks("a workspace", "git", (), environ), *lacks(harness.name, program, keys, environ), *own_agent)
    grader = lacks(f"the grader {judge.name}", judge.program, judge.keys, environ) if judge else ()
    found = shutil.which(program, path=environ.get("PATH")) if program else None
    path = Path(found) if found else None
    version = _version(path, environ) if path and not overriding(harness, settings) else ""
    return Machine(path, version, agent, (*grader, *own_grader))


def lacks(who: str, program: str, keys: tuple[str, ...], environ: Mapping[str, str]) -> tuple[str, ...]:
    """What somebody needs that isn't here: a program, and one of some variables; either may be empty."""
    lacking = []
    if program and shutil.which(program, path=environ.get("PATH")) is None:
        lacking.append(f"{who} needs the program {program!r}, which is not on PATH")
    if keys and not any(environ.get(key) for key in keys):
        lacking.append(f"{who} needs {' or '.join(keys)} in the environment")
    return tuple(lacking)


def _version(program: Path, environ: Mapping[str, str]) -> str:
    """The first line that `--version` prints; empty where it prints none. What it writes to its HOME is thrown away."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        env = {**environ, "HOME": home, "TMPDIR": home, "XDG_CONFIG_HOME": home, "XDG_CACHE_HOME": home}
        try:
            done = run((str(program), "--version"), cwd=Path(home), timeout_s=_VERSION_S, env=env)
        except (FileNotFoundError, SkillcheckError):
            return ""
    lines = done.stdout.decode("utf-8", "replace").split("\n")
    return lines[0].strip() if done.status == 0 else ""


def _own(settings: Settings, environ: Mapping[str, str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is missing of the caller's own programs and files: for the agent, and for the grader."""
    trace = settings.options.get("trace", "")
    agent = [f"there is no file {trace!r} to replay (--trace)"] if trace and not Path(trace).is_file() else []
    agent += _absent("--agent-command", settings.options.get("agent-command", ""), environ)
    return tuple(agent), tuple(_absent("--grader-command", settings.grader_command, environ))


def _absent(option: str, command: str, environ: Mapping[str, str]) -> list[str]:
    words = shlex.split(command)
    found = not words or "{" in words[0] or shutil.which(words[0], path=environ.get("PATH"))
    return [] if found else [f"there is no program {words[0]!r} to run ({option})"]


def judge_for(settings: Settings, harness: Harness, environ: Mapping[str, str]) -> Judge | None:
    """Who judges expectations: the one that was asked for, or else the first that can be used here.

    A run without a model has no judge unless it is given one. Raises UsageError for an unknown name.
    """
    name = settings.judge or (COMMAND if settings.grader_command else "")
    if name == NO_JUDGE or (not name and not harness.asks_model):
        return None
    if name == COMMAND and not settings.grader_command.strip():
        message = "grader 'command' has no command: say which program to run with --grader-command"
        raise UsageError(message)
    if name:
        return judges.named(name)
    known = (judges.named("api"), judges.named("claude"))
    return next((judge for judge in known if not lacks("", judge.program, judge.keys, environ)), known[0])
