"""The contract of an executor: where the trials of a run are carried out. Every other file here is one EXECUTOR.

Wherever that is, results come into the same store, one by one, so that a run is resumed in the same way. An executor of
your own, outside this repository, is an entry point in the group `skillcheck.evals.executor`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from skillcheck import registry

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from skillcheck.evals.attempts import Course
    from skillcheck.evals.plan import Plan, Spec
    from skillcheck.evals.record import Record

LOCAL = "local"


class Taken(NamedTuple):
    """A plan that was taken over.

    `plan` is as it will be carried out there: its keys, its machine, and `settings.jobs` at least 1. `run` does one
    trial, keeps it in the course's store and never raises but where nothing can be run any more. `lacks` are what
    every trial would lack, and `warnings` what the user should know beside, one line each.
    """

    plan: Plan
    run: Callable[[Course[Plan], Spec], Record]
    lacks: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Executor:
    """`taken` takes a plan over, at an address that may be empty; what it needed for that is freed at the end.

    It raises UsageError for an address that means nothing to it, and SkillcheckError where nobody answers there.
    """

    name: str
    taken: Callable[[Plan, str], AbstractContextManager[Taken]]


def named(wanted: str) -> Executor:
    """The executor that `NAME` or `NAME:ADDRESS` names; raises UsageError for an unknown one."""
    return registry.named(__name__, wanted.partition(":")[0], "EXECUTOR", Executor, "executor")


def taken(plan: Plan) -> AbstractContextManager[Taken]:
    """Take a plan over where its settings say; see Executor for what is raised."""
    wanted = plan.settings.executor or LOCAL
    return named(wanted).taken(plan, wanted.partition(":")[2])
