"""A task package: a prompt, an environment, a solution and a verifier, in one folder.

Layout 1.1 has `task.md`, `oracle/` and `verifier/`; 1.0 has `instruction.md`, `task.toml`, `solution/` and `tests/`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from skillcheck.catalog.discover import skill_file
from skillcheck.diagnostic import Problem
from skillcheck.span import START

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from skillcheck.catalog.fault import Fault
    from skillcheck.located import Located
    from skillcheck.span import Lines

Layout = Literal["1.0", "1.1"]
Network = Literal["public", "no-network", "allowlist"]
AGENT_TIMEOUT_S = 900.0
VERIFIER_TIMEOUT_S = 600.0
"""What counts without a task.toml, which layout 1.0 allows; the second is BenchFlow's default."""

MAX_BYTES = 1 << 20
"""How long a task.md, an instruction.md and a task.toml may be."""
NO_BODY = Problem(
    START,
    "the task has no body, so there is no prompt",
    "write what the agent is to do, and where it finds and leaves files",
)


class Resources(NamedTuple):
    """What a task asks for, with BenchFlow's defaults; memory and storage are in megabytes of 2**20 bytes."""

    cpus: float = 1
    memory_mb: int = 2048
    storage_mb: int = 10240
    gpus: int = 0
    network: Network = "public"


class Settings(NamedTuple):
    """What a task says about itself. Timeouts are in seconds; `metadata` is as it is written.

    `image` names an image that is there already, and is empty where a Dockerfile builds one. The values of the `env`
    may be `${NAME}`, the caller's own.
    """

    category: str = ""
    difficulty: str = ""
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = {}
    agent_timeout_s: float = AGENT_TIMEOUT_S
    verifier_timeout_s: float = VERIFIER_TIMEOUT_S
    verifier_type: str = "test-script"
    resources: Resources = Resources()
    image: str = ""
    env: Mapping[str, str] = {}
    oracle_env: Mapping[str, str] = {}
    verifier_env: Mapping[str, str] = {}


class Source(NamedTuple):
    """Where a task's words stand: the prompt from the offset `body` of one file, the settings in another or the same.

    `settings` is the name of a file, empty for a task without any.
    """

    prompt: str
    lines: Lines
    body: int
    settings: str
    located: Located


class Parts(NamedTuple):
    """What the files of one task say: no source where they can't be used, and the faults by the file's name."""

    source: Source | None
    faults: tuple[tuple[str, Fault], ...] = ()


@dataclass(frozen=True, slots=True)
class Package:
    """One task whose files can be read. `shown` is its folder as users read it; the id is the folder's name.

    Whether there is an oracle and a verifier is for checks to say.
    """

    id: str
    layout: Layout
    folder: Path
    shown: str
    settings: Settings
    source: Source = field(repr=False)

    @property
    def prompt(self) -> str:
        """The task in words, as it stands in its file but for blank lines before it."""
        return self.source.lines.text[self.source.body :]

    @property
    def environment(self) -> Path:
        """The folder of what the agent works with, and of the image; it may be missing."""
        return self.folder / "environment"

    @property
    def skills(self) -> tuple[Path, ...]:
        """The folders of the task's own skills, sorted."""
        home = self.environment / "skills"
        return tuple(sorted(path for path in home.iterdir() if skill_file(path))) if home.is_dir() else ()

    @property
    def dockerfile(self) -> Path | None:
        """What builds the image."""
        return _file(self.environment / "Dockerfile")

    @property
    def oracle(self) -> Path | None:
        """The program that solves the task: `oracle/` comes before `solution/`."""
        return _first(self.folder, ("oracle/solve.sh", "solution/solve.sh"), self.layout)

    @property
    def verifier(self) -> Path | None:
        """The program that judges the work; its folder is the verifier's. `verifier/` comes before `tests/`."""
        return _first(self.folder, ("verifier/test.sh", "tests/test.sh"), self.layout)


def _first(folder: Path, names: tuple[str, str], layout: Layout) -> Path | None:
    found = (_file(folder / name) for name in (names if layout == "1.1" else names[1:]))
    return next(filter(None, found), None)


def _file(path: Path) -> Path | None:
    return path if path.is_file() else None
