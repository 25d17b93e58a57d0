"""Have a task's verifier judge the work as it lies there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.bench import local, reward
from skillcheck.bench.plan import resolved
from skillcheck.bench.reward import Unverified
from skillcheck.evals.harness import EVERYWHERE
from skillcheck.evals.store.record import Verified
from skillcheck.evals.workspace.sandbox import MARK, sweep
from skillcheck.process import Limits, supervise

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from skillcheck.bench.package import Package
    from skillcheck.bench.plan import Plan
    from skillcheck.evals.running.room import Room

_KEPT_BYTES = 32 << 10
"""How much of the end of a verifier's output is kept, of each stream."""


def verify(plan: Plan, package: Package, room: Room, folders: local.Room) -> tuple[Unverified | None, Verified]:
    """What the verifier says of the work in a room, and what is wrong where that is no reward.

    It has none of the agent's credentials, its home or its processes. Raises OSError where it can't be started.
    """
    if package.verifier is None:
        message = "a task without a verifier is not run"
        raise ValueError(message)
    out, err = room.space.root / "verifier-stdout", room.space.root / "verifier-stderr"
    folders.work.mkdir(exist_ok=True)
    exited = supervise(
        local.command(package, package.verifier, folders, room.crew.sandbox),
        cwd=folders.work,
        env=variables(plan, package, folders, room.mark),
        stdin=b"",
        stdout=out,
        stderr=err,
        limits=Limits(wall_s=_seconds(plan, package), idle_s=_seconds(plan, package)),
        watch=_unwatched,
        stop=room.stop,
    )
    sweep(room.mark)
    found = reward.read(folders.rewards, exited)
    said = Verified(None, exited.status, _end(out), _end(err))
    return (found, said) if isinstance(found, Unverified) else (None, said._replace(reward=found.value))


def variables(plan: Plan, package: Package, folders: local.Room, mark: str) -> dict[str, str]:
    """The variables of a verifier or an oracle, whose home is the copy of its own folder."""
    settings = package.settings
    passed = {name: plan.environ[name] for name in EVERYWHERE if name in plan.environ}
    own = resolved({**settings.env, **settings.verifier_env}, plan.environ)
    home = {"HOME": str(folders.programs), MARK: mark}
    return {**passed, **home, **local.variables(package, folders, plan.environ), **own}


def _seconds(plan: Plan, package: Package) -> float:
    return package.settings.verifier_timeout_s * plan.choice.verifier_multiplier


def _unwatched(lines: Iterable[bytes]) -> str:
    for _ in lines:
        pass
    return ""


def _end(file: Path) -> str:
    return file.read_bytes()[-_KEPT_BYTES:].decode("utf-8", "replace")
