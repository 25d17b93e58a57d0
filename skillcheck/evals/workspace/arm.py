"""The arms of an experiment: the same task with other things in the workspace, all else being equal."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from skillcheck.errors import UsageError
from skillcheck.evals.workspace.workspace import Staging
from skillcheck.suggest import unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    Stage = Callable[[Sequence[Path], Sequence[Path], str], tuple[Staging, ...]]

TREATED = "with"
"""The arm that an eval is judged by; the others are there to be compared with."""
DISTRACTORS = 3
"""How many other skills a distractor arm offers, as far as the catalog has them."""
WRITTEN = "SKILL.md"
"""What an agent is asked to write in the arm `self`, in its working directory."""
WRITE = (
    f"Write a skill for yourself: a file {WRITTEN} in the working directory that holds what is worth knowing for tasks "
    "such as the one below. It begins with a YAML frontmatter with `name: own-notes` and a `description` that says "
    "when to use it. Don't do the task.\n\n"
)
"""What comes before the task where the agent writes the skill first (SkillsBench's self-generated skills)."""
OWN = "own-notes"


class Arm(NamedTuple):
    """What is staged beside the task: `stage(skills, others, skills_dir)`, where skills are folders.

    `skills` are those that are tested, `others` what else there is. `writes`: the agent writes a skill first.
    """

    name: str
    meaning: str
    stage: Stage
    writes: bool = False


def _skills(skills: Sequence[Path], _others: Sequence[Path], skills_dir: str) -> tuple[Staging, ...]:
    return tuple(Staging(skill, f"{skills_dir}/{skill.name}") for skill in skills)


def _nothing(_skills: Sequence[Path], _others: Sequence[Path], _skills_dir: str) -> tuple[Staging, ...]:
    return ()


def _documents(skills: Sequence[Path], others: Sequence[Path], _skills_dir: str) -> tuple[Staging, ...]:
    return _skills(skills, others, "docs")


def _others(skills: Sequence[Path], others: Sequence[Path], skills_dir: str) -> tuple[Staging, ...]:
    """Those that follow the skills in path order, from the beginning again at the end."""
    last = max(skills, default=None)
    after = [other for other in others if last and other > last]
    return _skills((after + [other for other in others if other not in after])[:DISTRACTORS], (), skills_dir)


ARMS = {
    arm.name: arm
    for arm in (
        Arm(TREATED, "the agent is offered the skill", _skills),
        Arm("without", "the agent is offered nothing", _nothing),
        Arm("docs", "the skill's files lie in docs/, as plain documents", _documents),
        Arm("self", "the agent is offered a skill that it wrote first", _nothing, writes=True),
        Arm("distractor", f"the agent is offered up to {DISTRACTORS} other skills of the catalog", _others),
    )
}
"""By name."""


def named(name: str) -> Arm:
    """The arm of a name; raises UsageError for an unknown one."""
    if name not in ARMS:
        raise UsageError(unknown("arm", name, ARMS))
    return ARMS[name]
