"""What became of a trial: passed, failed, or an error with a class; one table says what follows from each class."""

from __future__ import annotations

import enum
from typing import NamedTuple

NOT_OFFERED = "not-offered"
"""The class of a trial whose agent could not load the skill, so that none of its others can either."""


class Then(enum.Enum):
    """What follows: the workspace is graded as it stands, the trial is tried again, or it is an error at once."""

    GRADE = "grade"
    RETRY = "retry"
    STOP = "stop"


class Class(NamedTuple):
    """One way for a run to end."""

    name: str
    then: Then
    meaning: str


CLASSES = {
    entry.name: entry
    for entry in (
        Class("completed", Then.GRADE, "the agent ended by itself"),
        Class("agent-loop", Then.GRADE, "the agent made the same call again and again and was stopped"),
        Class("turn-limit", Then.GRADE, "the agent used up its turns"),
        Class("agent-budget", Then.GRADE, "the agent used up the budget that its own command line sets"),
        Class("agent-timeout", Then.STOP, "the time was up while a tool was running"),
        Class("context-limit", Then.STOP, "the conversation outgrew the model's context"),
        Class("harness-config", Then.STOP, "the agent could not work as it was set up"),
        Class(NOT_OFFERED, Then.STOP, "the agent did not list the skill that it was to be tested with"),
        Class("infra-auth", Then.STOP, "the model's server refused the key"),
        Class("infra-rate", Then.RETRY, "the model's server allowed no more requests"),
        Class("infra-server", Then.RETRY, "the model's server failed"),
        Class("infra-protocol", Then.RETRY, "the agent's output ended early or made no sense"),
        Class("infra-timeout", Then.STOP, "the time was up while the model was silent"),
        Class("workspace", Then.STOP, "the workspace could not be made or kept"),
        Class("skill-edited", Then.STOP, "the agent changed the skill that it was tested with"),
        Class("ungraded", Then.STOP, "the grader gave no usable answer"),
        Class("verifier-crash", Then.STOP, "the task's verifier failed"),
        Class("verifier-timeout", Then.STOP, "the task's verifier took too long"),
        Class("verifier-output", Then.STOP, "the task's verifier left no usable reward"),
        Class("budget", Then.STOP, "the run's budget was spent before this trial"),
        Class("internal", Then.STOP, "skillcheck itself failed; this is a bug"),
        Class("interrupted", Then.STOP, "the run was interrupted"),
    )
}
"""By name. Errors are the classes that aren't graded: they never enter a pass rate."""
TIMEOUTS = frozenset({"agent-timeout", "infra-timeout"})
"""The classes in which the time was up."""
