"""What a run would do: its trials, each with the key of all that could change its result."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from skillcheck.evals.harness import Task
from skillcheck.evals.plan.crew import launch
from skillcheck.evals.workspace.arm import TREATED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from skillcheck.catalog.cases import CaseFile, Eval
    from skillcheck.catalog.catalog import Catalog
    from skillcheck.catalog.skill import Skill
    from skillcheck.diagnostic import Diagnostic
    from skillcheck.evals.harness import Harness, Launch
    from skillcheck.evals.judge import Judge
    from skillcheck.evals.plan.crew import Crew
    from skillcheck.evals.plan.machine import Machine
    from skillcheck.evals.plan.settings import Settings
    from skillcheck.evals.workspace.sandbox import Sandbox

WRAPPER = (
    "Work in the current directory. Leave what the task asks for at the paths that it names, relative to that "
    "directory. Never write keys, tokens or environment variables into files or answers.\n\n{task}"
)
"""What stands around a task in an experiment: the same bytes for every agent and every arm."""
PLACEHOLDER = Path("/WORKSPACE")
"""Stands for the temporary folder of a trial where a command line is shown or hashed before there is one."""
FIXTURES = Path("/FIXTURES")
"""Stands for the folder of fixtures there: keys are the same wherever the catalog lies."""


class Spec(NamedTuple):
    """One trial: the eval, the arm, its number from 1 in that arm, and the key under which its result is stored."""

    skill: Skill
    file: CaseFile
    case: Eval
    trial: int
    key: str
    arm: str = TREATED

    @property
    def names(self) -> tuple[str, str]:
        """The skill's, and the eval's."""
        return self.skill.name, str(self.case.id)

    @property
    def task(self) -> str:
        """What the eval is called among those of all skills."""
        return "/".join(self.names)


@dataclass(frozen=True, slots=True)
class Plan:
    """The trials in order of skill, eval and number.

    `broken` are the findings that keep evals from being run; `left_out` are the evals that this run is not for, as
    skill, id and reason. `whole` names the evals, `skill/id`, that all shards run together.
    """

    catalog: Catalog
    settings: Settings
    harness: Harness
    judge: Judge | None
    machine: Machine
    sandbox: Sandbox
    environ: Mapping[str, str]
    specs: tuple[Spec, ...]
    broken: tuple[Diagnostic, ...] = ()
    left_out: tuple[tuple[str, str, str], ...] = ()
    whole: tuple[str, ...] = ()

    @property
    def judged(self) -> int:
        """How many trials a judge is asked about."""
        return sum(1 for spec in self.specs if spec.case.judged) if self.judge else 0

    @property
    def missing(self) -> tuple[str, ...]:
        """What these trials would still need on this machine, one line each."""
        return (*self.machine.agent_lacks, *(self.machine.grader_lacks if self.judged else ()))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know beside what a run comes to."""
        return warnings(self)

    def prompt(self, case: Eval) -> str:
        """What the agent is told; in an experiment every agent and every arm gets the same words around the task."""
        return WRAPPER.format(task=case.prompt) if self.is_experiment else case.prompt

    def launch(self, case: Eval) -> Launch:
        """The command line of an eval, with the placeholder for what is only known when it runs."""
        place = PLACEHOLDER / "work" / self.harness.skills_dir / "SKILL"
        return launch(self.harness, task(self, case, "SKILL", PLACEHOLDER, (place,)))

    def others(self, skill: Skill) -> tuple[Path, ...]:
        """The folders of the catalog's other skills."""
        return tuple(other.path.parent for other in self.catalog.skills if other != skill)

    @property
    def is_experiment(self) -> bool:
        """Whether arms are compared."""
        return len(self.settings.arms) > 1


def warnings(crew: Crew) -> tuple[str, ...]:
    """What the user should know of a crew beside what its run comes to."""
    unset = ", ".join(name for name in crew.settings.env if name not in crew.environ)
    told = f"not set, so not handed on: {unset}" if unset else ""
    return tuple(filter(None, (crew.sandbox.warning, crew.machine.other_version(crew.harness), told)))


def task(plan: Plan, case: Eval, skill: str, root: Path, skill_dirs: tuple[Path, ...] = ()) -> Task:
    """What the agent is told, for a workspace at `root` with skills in some folders of it."""
    options = {**plan.settings.options, "sandbox": plan.sandbox.kind}
    if case.solution:
        fixtures = FIXTURES if root == PLACEHOLDER else plan.catalog.fixtures
        options["solution"] = str(fixtures / case.solution)
    handed = root / "handed"
    return Task(
        prompt=plan.prompt(case),
        prompt_file=handed / "prompt.txt",
        work=root / "work",
        home=root / "home",
        skill=skill,
        skill_dirs=skill_dirs,
        system_prompt_file=handed / "system-prompt.md" if plan.settings.delivery == "system-prompt" else None,
        model=plan.settings.model,
        environ=plan.environ,
        options=options,
    )
