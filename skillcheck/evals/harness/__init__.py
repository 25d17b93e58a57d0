"""The contract of a harness: how an agent is started, and how its output is read. Every other file here is one HARNESS.

Both are pure functions: `command` says what to run and `parse` reads what came out; `trial.py` does the running, the
same way for all. A harness of your own, outside this repository, is an entry point in the group
`skillcheck.evals.harness`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from skillcheck import registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from skillcheck.evals.trace.trace import Event

EVERYWHERE = (
    "PATH", "LANG", "LC_ALL", "LC_CTYPE", "TERM", "TZ", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS",
    "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
)  # fmt: skip
"""The variables that every agent gets, where the caller has them."""

MAX_TURNS = 50
"""For agents that can be told a limit: enough for any eval, and an end to one that goes nowhere."""


class Task(NamedTuple):
    """What an agent is asked, and where. All paths are absolute.

    `work` is the working directory and `home` the HOME of this run alone. `skill_dirs` are where skills were staged
    below `work`. `system_prompt_file` holds what is handed over as system prompt, None with
    native delivery. `model` may be empty: the agent's own choice. `environ` is the caller's environment; `options` are
    those of single harnesses, by name.
    """

    prompt: str
    prompt_file: Path
    work: Path
    home: Path
    skill: str = ""
    skill_dirs: tuple[Path, ...] = ()
    system_prompt_file: Path | None = None
    model: str = ""
    environ: Mapping[str, str] = {}
    options: Mapping[str, str] = {}


class Launch(NamedTuple):
    """A command line. `env` comes on top of the allow-listed variables; `files` are written below `home` first.

    `copies` are put below `home` first: target to source.
    `argv` never holds the prompt's text where the agent reads it from stdin or a file, and never the skill's.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str] = {}
    files: Mapping[str, str] = {}
    copies: Mapping[str, Path] = {}
    stdin: bytes = b""


@dataclass(frozen=True, slots=True)
class Harness:
    """One agent.

    `program` is looked up on PATH, and `program --version` tells its version; `tested` is the one that this file was
    checked with. `skills_dir` is the folder, relative to the workspace, in which the agent finds skills. One of `keys`
    must be set for a run that asks a model; they and `passes` are handed on. Without a `program` nothing need be
    installed. `asks_model` is false for replay, nop and oracle, which cost nothing.
    """

    name: str
    command: Callable[[Task], Launch]
    parse: Callable[[Iterable[bytes]], Iterator[Event]]
    program: str = ""
    tested: str = ""
    skills_dir: str = ".agents/skills"
    keys: tuple[str, ...] = ()
    passes: tuple[str, ...] = ()
    asks_model: bool = True

    @property
    def is_agent(self) -> bool:
        """Whether it is one agent, with a program or keys of its own, and not a stand-in or any command."""
        return bool(self.program or self.keys)


def named(name: str) -> Harness:
    """The harness of a name; raises UsageError for an unknown one."""
    return registry.named(__name__, name, "HARNESS", Harness, "harness")


def environment(harness: Harness, task: Task, launch: Launch, extra: Iterable[str] = ()) -> dict[str, str]:
    """All variables of a run: allow-listed ones of the caller's, HOME and TMPDIR of its own, then the launch's."""
    wanted = (*EVERYWHERE, *harness.keys, *harness.passes, *extra)
    passed = {name: task.environ[name] for name in wanted if name in task.environ}
    own = {"HOME": str(task.home), "TMPDIR": str(task.home / "tmp"), "XDG_CONFIG_HOME": str(task.home / ".config"),
           "XDG_DATA_HOME": str(task.home / ".local/share"), "XDG_CACHE_HOME": str(task.home / ".cache"),
           "XDG_STATE_HOME": str(task.home / ".local/state"), "GIT_CONFIG_NOSYSTEM": "1",
           "GIT_TERMINAL_PROMPT": "0"}  # fmt: skip
    return {**passed, **own, **launch.env}
