"""The contract of an executor: where the trials of a run are carried out. Every other file here is one EXECUTOR.

Wherever that is, results come into the same store, one by one, so that a run is resumed in the same way. An executor of
your own, outside this repository, is an entry point in the group `skillcheck.evals.executor`.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from skillcheck import registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from skillcheck.evals.plan.settings import Settings
    from skillcheck.evals.running.attempts import Course
    from skillcheck.evals.running.job import Job
    from skillcheck.evals.store.record import Record

LOCAL = "local"
P = TypeVar("P")


class Kind(NamedTuple):
    """What trials of a kind need: `run` does one, and `sent` is what another machine gets of a plan.

    `run` keeps a trial in the course's store, and never raises. `sent` raises UsageError for what can't be sent.
    """

    run: Callable[[Course[Any], Any], Record]
    sent: Callable[[Any], Job]


class Taken(NamedTuple, Generic[P]):
    """A plan that was taken over.

    `plan` is as it will be carried out there: its keys, its machine, and `settings.jobs` at least 1. `run` is as that
    of its kind, but raises SkillcheckError where nothing can be run any more. `lacks` are what every trial would
    lack, and `warnings` tells what the user should know beside by then, one line each.
    """

    plan: P
    run: Callable[[Course[Any], Any], Record]
    lacks: tuple[str, ...] = ()
    warnings: Callable[[], tuple[str, ...]] = tuple

    def told(self, settings: Settings) -> Iterator[str]:
        """What a dry run says of it."""
        if settings.executor:
            yield f"executor: {settings.executor}, {settings.jobs} at a time"
        yield from (f"warning: {what}" for what in self.warnings())
        yield from (f"missing: {what}" for what in self.lacks)


@dataclass(frozen=True, slots=True)
class Executor:
    """`taken` takes a plan over, at an address that may be empty; what it needed for that is freed at the end.

    It raises UsageError for an address that means nothing to it, and SkillcheckError where nobody answers there, or
    before the event is set that ends the run.
    """

    name: str
    taken: Callable[[Any, Kind, str, threading.Event], AbstractContextManager[Taken[Any]]]


def named(wanted: str) -> Executor:
    """The executor that `NAME` or `NAME:ADDRESS` names; raises UsageError for an unknown one."""
    return registry.named(__name__, wanted.partition(":")[0], "EXECUTOR", Executor, "executor")


def taken(
    plan: P, kind: Kind, settings: Settings, stop: threading.Event | None = None
) -> AbstractContextManager[Taken[P]]:
    """Take a plan over where its settings say; see Executor for what is raised."""
    wanted = settings.executor or LOCAL
    return named(wanted).taken(plan, kind, wanted.partition(":")[2], stop or threading.Event())
