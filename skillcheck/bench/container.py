"""A task in a container: the command line for docker and podman, which take the same words. Nothing is started here."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from skillcheck.bench.package import Resources
from skillcheck.diagnostic import clipped
from skillcheck.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

Engine = Literal["docker", "podman"]
_PINNED = re.compile(r"[a-z0-9][\w./:-]*@sha256:[0-9a-f]{64}")


class Caps(NamedTuple):
    """The most that a task may have of this machine, None for as much as it asks for; memory is in megabytes."""

    cpus: float | None = None
    memory_mb: int | None = None


class Granted(NamedTuple):
    """What a task asks for, the caps, and what it gets of each: the less of both."""

    asked: Resources
    caps: Caps
    cpus: float
    memory_mb: int

    @classmethod
    def nothing(cls) -> Granted:
        """What stands for it before there is a task."""
        return granted(Resources(), Caps())


class Mount(NamedTuple):
    """A folder of this machine, and where it stands in the container."""

    source: Path
    target: str
    writable: bool = False


class Container(NamedTuple):
    """A task's container as what keeps an agent in; see `run` for what an image must be.

    `env` are the names of variables that go in; `shown` are folders that may be read there. `name` is the container's.
    """

    kind: Engine
    image: str
    given: Granted
    env: tuple[str, ...] = ()
    shown: tuple[Path, ...] = ()
    name: str = ""

    @property
    def warning(self) -> str:
        """An agent in a container is kept in."""
        return ""

    @property
    def is_apart(self) -> bool:
        """Programs are the image's."""
        return True

    def hides(self, folder: Path, needed: Sequence[Path]) -> bool:
        """Of this machine a container has only what is mounted."""
        del folder, needed
        return True

    def wrap(
        self,
        argv: Sequence[str],
        *,
        work: Path,
        writable: Sequence[Path],
        needed: Sequence[Path],
        places: Mapping[str, Path],
    ) -> tuple[str, ...]:
        """As `Sandbox.wrap`; of what is `needed` the image brings all but what is `shown`."""
        del needed
        mounts = (
            *(Mount(path, str(path), writable=True) for path in dict.fromkeys(writable)),
            *(Mount(path, place, writable=True) for place, path in places.items()),
            *(Mount(path, str(path)) for path in self.shown),
        )
        engine, verb, *rest = run(
            self.kind, self.image, argv, given=self.given, workdir=str(work), mounts=mounts, env=self.env
        )
        return engine, verb, *(("--name", self.name) if self.name else ()), *rest


def granted(asked: Resources, caps: Caps) -> Granted:
    """What a task gets."""
    cpus = asked.cpus if caps.cpus is None else min(asked.cpus, caps.cpus)
    memory = asked.memory_mb if caps.memory_mb is None else min(asked.memory_mb, caps.memory_mb)
    return Granted(asked, caps, cpus, memory)


def refusal(image: str) -> str:
    """Why an image can't be run: what a tag names can change, and the results would be another task's."""
    if _PINNED.fullmatch(image):
        return ""
    if not image:
        return "no image is named: build one from the task's Dockerfile, and name it as NAME@sha256:DIGEST"
    name = image.partition("@")[0]
    what = "its digest is not sha256 with 64 hex digits" if "@" in image else "a tag can name another image tomorrow"
    return f"image {clipped(image, 80)!r} is not pinned: {what}; write {clipped(name, 80)}@sha256:DIGEST"


def run(
    engine: Engine,
    image: str,
    argv: Sequence[str],
    *,
    given: Granted,
    workdir: str,
    mounts: Iterable[Mount] = (),
    env: Iterable[str] = (),
) -> tuple[str, ...]:
    """The command line that runs `argv` in a container of its own, which is gone afterwards.

    `env` are names: the engine takes the values from its own environment, where no list of processes shows them. The
    image is never pulled. Without `public` network it has none. Raises UsageError for an image that `refusal` refuses,
    for a list of allowed hosts, and for a mount with a comma in its path.
    """
    reason = refusal(image)
    if reason:
        raise UsageError(reason)
    if given.asked.network == "allowlist":
        message = f"{engine} can't hold a container to a list of allowed hosts"
        raise UsageError(message)
    limits = ("--cpus", f"{given.cpus:g}", "--memory", f"{given.memory_mb}m")
    network = () if given.asked.network == "public" else ("--network", "none")
    gpus = ("--gpus", str(given.asked.gpus)) if given.asked.gpus else ()
    mounted = (word for mount in mounts for word in ("--mount", _mount(mount)))
    named = (word for name in env for word in ("--env", name))
    start = (engine, "run", "--rm", "--init", "--interactive", "--pull", "never")
    return (*start, *limits, *network, *gpus, *mounted, *named, "--workdir", workdir, image, *argv)


def _mount(mount: Mount) -> str:
    if "," in f"{mount.source}{mount.target}":
        message = f"{str(mount.source)!r} can't be mounted at {mount.target!r}: a comma ends a path there"
        raise UsageError(message)
    return f"type=bind,source={mount.source},target={mount.target}" + ("" if mount.writable else ",readonly")
