"""A task on this machine, without an image: what of it can be run here, and where its programs find things.

Tasks name places of a container: /root, /logs/verifier, /verifier. With bubblewrap they are put there; without it only
those tasks can be run whose programs take the variables BENCHFLOW_* instead.
"""

from __future__ import annotations

import os
import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from skillcheck.bench import dockerfile, reward
from skillcheck.bench.dockerfile import DEFAULT_WORKDIR, Recipe
from skillcheck.catalog.files import outside
from skillcheck.diagnostic import clipped
from skillcheck.errors import UsageError
from skillcheck.evals.workspace import tree
from skillcheck.evals.workspace.workfiles import fits

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from skillcheck.bench.package import Package
    from skillcheck.evals.plan.crew import Walls

_COMPOSE = ("docker-compose.yaml", "docker-compose.yml", "compose.yaml", "compose.yml")
_NOT_STAGED = frozenset({"/skills", "/Dockerfile", "/.dockerignore"})
"""What of an environment is never the agent's; names as in `tree.entries`. Arms stage skills, and nothing else does."""
_SKILLS = frozenset({"skills", "skills/", "./skills", "./skills/", "skills/."})
_INSTALLS = re.compile(
    r"^[^#\n]*?(?:^|[;&|]|\bthen|\belse|\bdo|\bsudo)[ \t]*"
    r"((?:apt-get|apt|apk|curl|wget|uvx|uv|pip3?|python3? -m pip|npm|conda)[ \t]+[^\n]*)",
    re.MULTILINE,
)
"""A command of a shell script that fetches something."""
_SYSTEM = frozenset(
    f"/{name}" for name in ("bin", "dev", "etc", "lib", "lib64", "proc", "run", "sbin", "sys", "tmp", "usr", "var")
)
"""Top folders that no work folder lies in: programs need what is there."""
_SKIPS = "BENCHFLOW_SKIP_VERIFIER_DEPS"
_REPLACEABLE = re.compile(
    r"""\$\{BENCHFLOW_\w+:-[^}]*\}|\bget(?:env)?\(\s*["']BENCHFLOW_\w+["']\s*,\s*["'][^"']*["']"""
)
"""A place that a variable can replace, in a shell script and in Python."""
_SCRIPTS = frozenset({".sh", ".py", ".js", ".rb", ".pl"})
_SHOWN = 60


class Room(NamedTuple):
    """The folders of one run: what is worked in, the logs, and a copy of the verifier's or the oracle's folder.

    The agent sees the first alone.
    """

    work: Path
    logs: Path
    programs: Path

    @classmethod
    def made(cls, root: Path) -> Room:
        """Make the folders that are missing below `root`, which is there. Raises OSError where they can't be made."""
        room = cls(root / "work", root / "logs", root / "programs")
        for folder in (room.work, room.rewards, room.logs / "agent", room.programs):
            folder.mkdir(parents=True, exist_ok=True)
        return room

    @property
    def rewards(self) -> Path:
        """The folder that the verifier leaves its reward in."""
        return self.logs / "verifier"


def obstacle(package: Package, kind: str) -> str:
    """Why a task can't be run on this machine in a sandbox of this kind; empty if it can."""
    return next(filter(None, _obstacles(package, kind)), "")


def _obstacles(package: Package, kind: str) -> Iterator[str]:
    settings = package.settings
    if settings.resources.gpus:
        yield f"it needs {settings.resources.gpus} GPU{'s' * (settings.resources.gpus > 1)}"
    if settings.resources.network != "public":
        yield f"its network is {settings.resources.network!r}, and agents share this machine's"
    if settings.verifier_type != "test-script":
        yield f"its verifier is of type {settings.verifier_type!r}, not a program"
    if settings.image:
        yield f"it runs in the image {settings.image!r}"
    compose = next((name for name in _COMPOSE if (package.environment / name).exists()), "")
    if compose:
        yield f"environment/{compose} describes containers"
    yield recipe(package).obstacle
    yield from (
        f"its Dockerfile copies to {clipped(copy, _SHOWN)!r}, outside of its work folder" for copy in _astray(package)
    )
    yield _fetching(package)
    yield _fixed_place(package) if kind == "none" else _unmakable(recipe(package).workdir)


def recipe(package: Package) -> Recipe:
    """What the package's Dockerfile asks for; without one, all of the environment lies in the work folder."""
    file = package.dockerfile
    if file is None:
        whole = (dockerfile.Copy((".",), f"{DEFAULT_WORKDIR}/"),) if package.environment.is_dir() else ()
        return Recipe(DEFAULT_WORKDIR, whole, {}, "")
    return dockerfile.recipe(file.read_text("utf-8", "replace"))


def _copies(package: Package) -> Iterator[tuple[str, str]]:
    """Each source, relative to the environment, and its target; the copies of skills are left to the arms."""
    for copy in recipe(package).copies:
        yield from ((source, copy.target) for source in copy.sources if source not in _SKILLS)


def _astray(package: Package) -> Iterator[str]:
    workdir = recipe(package).workdir
    for _, target in _copies(package):
        if not f"{target.rstrip('/')}/".startswith(f"{workdir}/"):
            yield target


def _fetching(package: Package) -> str:
    """What the verifier fetches when it judges; what a variable makes it skip doesn't count."""
    if package.verifier is None:
        return ""
    text = package.verifier.read_text("utf-8", "replace")
    found = None if _SKIPS in text else _INSTALLS.search(text)
    if found is None:
        return ""
    line = text.count("\n", 0, found.start(1)) + 1
    return f"line {line} of its verifier fetches what it needs: {clipped(found[1], _SHOWN)!r}"


def _unmakable(workdir: str) -> str:
    """Why a container's work folder can't be put in place: what is this machine's stays as it is."""
    top = "/".join(workdir.split("/")[:2])
    if top in _SYSTEM or (os.path.exists(top) and not os.path.isdir(workdir)):  # noqa: PTH110, PTH112 - they never raise
        return f"its work folder is {clipped(workdir, _SHOWN)!r}, and {top} is this machine's own"
    return ""


def _fixed_place(package: Package) -> str:
    """The first place of a container that the task insists on."""
    workdir = recipe(package).workdir
    named = re.compile(rf"(?<![\w.~}}/-])(?:{re.escape(workdir)}|/logs|/tests|/verifier|/oracle|/solution)(?![\w-])")
    texts = {package.source.prompt: package.prompt}
    for program in (package.oracle, package.verifier):
        for path in sorted(program.parent.rglob("*")) if program else ():
            if path.suffix in _SCRIPTS and path.is_file():
                texts[path.relative_to(package.folder).as_posix()] = path.read_text("utf-8", "replace")
    for name, text in texts.items():
        if found := named.search(_REPLACEABLE.sub("", text)):
            return f"{name} names {found[0]}, which only bubblewrap can put in place"
    return ""


def stage(package: Package, work: Path) -> None:
    """Put the files of the environment where the Dockerfile puts them, but below `work` in place of the work folder.

    Raises UsageError for a source that isn't there, and OSError where reading or writing fails. `obstacle` is empty.
    """
    workdir = recipe(package).workdir
    for source, target in _copies(package):
        below = posixpath.relpath(target, workdir)
        for found in _sources(package, source):
            into = work / below / found.name if target.endswith("/") and not found.is_dir() else work / below
            tree.copy(found, into, _NOT_STAGED if found == package.environment else ())


def _sources(package: Package, source: str) -> list[Path]:
    plain = posixpath.normpath(source.lstrip("/"))
    if plain == ".":
        return [package.environment]
    if not outside(plain):
        real = package.environment.resolve()
        inside = (path for path in package.environment.rglob("*") if path.resolve().is_relative_to(real))
        names = (path.relative_to(package.environment).as_posix() for path in inside)
        found = [package.environment / name for name in sorted(names) if name == plain or fits(name, plain)]
        if found:
            return found
    message = f"{package.shown}/environment/Dockerfile copies {clipped(source, _SHOWN)!r}, which isn't there"
    raise UsageError(message)


def command(package: Package, program: Path, room: Room, sandbox: Walls) -> tuple[str, ...]:
    """The command line of the package's oracle or verifier in a sandbox; see `ready`."""
    bound = places(package, room) if sandbox.kind != "none" else {}
    work = Path(recipe(package).workdir) if bound else room.work
    writable = (room.work, room.logs, room.programs)
    return sandbox.wrap(ready(program, room), work=work, writable=writable, needed=(), places=bound)


def ready(program: Path, room: Room) -> tuple[str, ...]:
    """Make a room ready for an oracle or a verifier, and return its command line there.

    The program's folder is copied into it, and no reward of before is left. Raises OSError where that fails.
    """
    for folder in (room.programs, room.rewards):
        tree.remove(folder)
        folder.mkdir()
    tree.copy(program.parent, room.programs)
    return "bash", str(room.programs / program.name)


def places(package: Package, room: Room) -> dict[str, Path]:
    """Which folder of a room stands where a container has it, for `Sandbox.wrap`; the agent gets the first alone."""
    programs = ("/verifier", "/oracle") if package.layout == "1.1" else ("/tests", "/solution")
    return {recipe(package).workdir: room.work, "/logs": room.logs, **dict.fromkeys(programs, room.programs)}


def variables(package: Package, room: Room, environ: Mapping[str, str]) -> dict[str, str]:
    """The variables for an oracle or a verifier; `environ` is the caller's environment."""
    logs = room.rewards
    return {
        **recipe(package).env,
        "BENCHFLOW_WORKSPACE": str(room.work),
        "BENCHFLOW_VERIFIER_DIR": str(room.programs),
        "BENCHFLOW_REWARD_TEXT": str(logs / reward.TEXT),
        "BENCHFLOW_REWARD_JSON": str(logs / reward.JSON),
        "BENCHFLOW_CTRF_JSON": str(logs / "ctrf.json"),
        "BENCHFLOW_REWARD_DETAILS_JSON": str(logs / "ctrf.json"),
        "BENCHFLOW_AGENT_LOG_DIR": str(room.logs / "agent"),
        "BENCHFLOW_PYTEST_BIN": environ.get("BENCHFLOW_PYTEST_BIN", "pytest"),
        _SKIPS: "1",
    }
