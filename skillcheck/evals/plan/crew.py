"""Who runs a trial: the agent and its command line, its program on this machine, what keeps it in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from skillcheck.evals.harness import command

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from skillcheck.evals.harness import Harness, Launch, Task
    from skillcheck.evals.plan.machine import Machine
    from skillcheck.evals.plan.settings import Settings


class Walls(Protocol):
    """What keeps agents in, as `sandbox.Sandbox` does."""

    @property
    def kind(self) -> str:
        """Its name."""

    @property
    def warning(self) -> str:
        """What the user should know of it, or empty."""

    @property
    def is_apart(self) -> bool:
        """Whether it has programs of its own, not this machine's."""

    def wrap(
        self,
        argv: Sequence[str],
        *,
        work: Path,
        writable: Sequence[Path],
        needed: Sequence[Path],
        places: Mapping[str, Path],
    ) -> tuple[str, ...]:
        """The command line that starts `argv` in here."""

    def hides(self, folder: Path, needed: Sequence[Path]) -> bool:
        """Whether a folder looks empty to an agent for which this is `needed`."""


class Crew(Protocol):
    """How agents are run, the same for all trials of a run."""

    @property
    def settings(self) -> Settings:
        """What was asked for."""

    @property
    def harness(self) -> Harness:
        """The agent."""

    @property
    def machine(self) -> Machine:
        """Its program here."""

    @property
    def sandbox(self) -> Walls:
        """What keeps it in."""

    @property
    def environ(self) -> Mapping[str, str]:
        """The caller's variables."""


def launch(harness: Harness, task: Task) -> Launch:
    """The command line of a harness, or the one that the option `override` puts in the place of an agent's own."""
    own, other = harness.command(task), task.options.get("override")
    if not other or not harness.is_agent:
        return own
    given = command.command(task._replace(options={**task.options, "agent-command": other}))
    return own._replace(argv=given.argv, stdin=given.stdin, env={**own.env, **given.env})
