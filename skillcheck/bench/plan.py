"""What a run of a benchmark would do: its trials, each with the key of all that could change its result."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from skillcheck.bench import checks, container, local
from skillcheck.bench.container import Container, Granted
from skillcheck.diagnostic import Diagnostic, Severity
from skillcheck.errors import UsageError
from skillcheck.evals import harness as harnesses
from skillcheck.evals.harness import Task
from skillcheck.evals.plan import key
from skillcheck.evals.plan.crew import launch
from skillcheck.evals.plan.machine import Machine, asked, lacks, look
from skillcheck.evals.plan.plan import PLACEHOLDER, WRAPPER, warnings
from skillcheck.evals.plan.planning import housed
from skillcheck.evals.plan.selection import part
from skillcheck.evals.workspace import arm as arms
from skillcheck.evals.workspace import digest
from skillcheck.evals.workspace.workspace import NOT_STAGED
from skillcheck.span import START

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from skillcheck.bench.choice import Choice
    from skillcheck.bench.load import Loaded
    from skillcheck.bench.package import Package
    from skillcheck.evals.harness import Harness, Launch
    from skillcheck.evals.plan.crew import Walls
    from skillcheck.evals.plan.settings import Settings
    from skillcheck.evals.workspace.workspace import Staging

ORACLE = "oracle"
_TAKEN = re.compile(r"\$\{(\w+)\}")
"""A variable of the caller's in the settings of a task."""


class Spec(NamedTuple):
    """One trial of a task: its arm, its number from 1 in that arm, and the key under which its result is stored."""

    set: str
    package: Package
    trial: int
    key: str
    arm: str

    @property
    def names(self) -> tuple[str, str]:
        """The set's, and the task's."""
        return self.set, self.package.id


@dataclass(frozen=True, slots=True)
class Plan:
    """The trials in order of task, arm and number.

    `packages` are the tasks that can be run, in order of id, and `whole` those of all shards. `findings` tell what is
    wrong with any of this shard's; `broken` counts those that can't be run before somebody mends them, and `refused`
    those that can't be run here.
    """

    name: str
    choice: Choice
    settings: Settings
    harness: Harness
    machine: Machine
    sandbox: Walls
    environ: Mapping[str, str]
    packages: tuple[Package, ...] = ()
    whole: tuple[Package, ...] = ()
    specs: tuple[Spec, ...] = ()
    findings: tuple[Diagnostic, ...] = ()
    broken: int = 0
    refused: int = 0

    @property
    def missing(self) -> tuple[str, ...]:
        """What these trials would still need on this machine, one line each."""
        return self.machine.agent_lacks

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know beside what a run comes to."""
        return warnings(self)

    @property
    def is_experiment(self) -> bool:
        """Whether arms are compared."""
        return len(self.settings.arms) > 1

    def on(self, walls: Walls) -> Plan:
        """The same behind other walls."""
        return replace(self, sandbox=walls)

    def granted(self, package: Package) -> Granted:
        """What a task gets of this machine, as far as the environment can hold it to that."""
        return container.granted(package.settings.resources, self.choice.caps)

    def image(self, package: Package) -> str:
        """The image of a task, which the template names, or else the task itself."""
        return self.choice.image_template.replace("{task}", package.id) or package.settings.image

    def staged(self, package: Package, arm: str) -> tuple[Staging, ...]:
        """What an arm stages beside a task."""
        others = tuple(skill for other in self.whole if other != package for skill in other.skills)
        return arms.named(arm).stage(package.skills, others, self.harness.skills_dir)

    def without(self, unfit: Mapping[str, Diagnostic]) -> Plan:
        """The plan without some tasks, by id, each with what is wrong with it."""
        return replace(
            self,
            packages=tuple(package for package in self.packages if package.id not in unfit),
            specs=tuple(spec for spec in self.specs if spec.package.id not in unfit),
            findings=(*self.findings, *unfit.values()),
            broken=self.broken + len(unfit),
        )


def make(
    name: str,
    loaded: Loaded,
    choice: Choice,
    settings: Settings,
    environ: Mapping[str, str],
    unseen: tuple[Path, ...],
) -> Plan:
    """Plan a run of a set of tasks; `unseen` is what agents must not see, as the tasks themselves.

    Raises UsageError for an unknown harness, and where no task has the wanted layout.
    """
    harness = harnesses.named(settings.harness)
    machine, walls = _housed(choice, settings, harness, environ, unseen)
    plan = Plan(name, choice, settings, harness, machine, walls, environ)
    every = _fitting(loaded, choice)
    own = part(every, settings.shard)
    found = {package.id: checks.check(package) for package in every}
    broken = {ident for ident, all_of_it in found.items() if any(_stops(each, harness) for each in all_of_it)}
    refused = {package.id: why for package in every if package.id not in broken and (why := obstacle(plan, package))}
    told = (_refusal(package, refused[package.id]) for package in own if package.id in refused)
    plan = replace(
        plan,
        packages=tuple(package for package in own if package.id not in broken and package.id not in refused),
        whole=tuple(package for package in every if package.id not in broken and package.id not in refused),
        findings=(*loaded.faults, *(each for package in own for each in found[package.id]), *told),
        broken=len({_folder(fault) for fault in loaded.faults}) + sum(package.id in broken for package in own),
        refused=sum(package.id in refused for package in own),
    )
    return replace(plan, specs=tuple(_specs(plan)))


def _folder(fault: Diagnostic) -> str:
    return fault.path.rpartition("/")[0]


def _housed(
    choice: Choice, settings: Settings, harness: Harness, environ: Mapping[str, str], unseen: tuple[Path, ...]
) -> tuple[Machine, Walls]:
    if choice.environment == "local":
        return housed(settings.sandbox, look(harness, None, settings, environ), unseen)
    engine = choice.environment
    _, keys = asked(harness, settings)
    lacking = (*lacks(engine, engine, (), environ), *lacks(harness.name, "", keys, environ))
    return Machine(None, "", lacking), Container(engine, "", Granted.nothing())


def _fitting(loaded: Loaded, choice: Choice) -> list[Package]:
    """The packages of the wanted layout, by id."""
    fitting = [each for each in loaded.packages if choice.layout in {None, each.layout}]
    if loaded.packages and not fitting:
        message = f"no task has the layout {choice.layout}; all have {loaded.packages[0].layout}"
        raise UsageError(message)
    return sorted(fitting, key=lambda package: package.id)


def _stops(found: Diagnostic, harness: Harness) -> bool:
    """Whether a task with this finding can't be run."""
    return found.rule == "task-missing-verifier" or (found.rule == "task-missing-oracle" and harness.name == ORACLE)


def _refusal(package: Package, why: str) -> Diagnostic:
    hint = "it needs another environment: --environment docker, with an image that is there and named by its digest"
    path = f"{package.shown}/{package.source.prompt}"
    return Diagnostic(path, START, "task-not-runnable", Severity.WARNING, f"the task can't be run here: {why}", hint)


def obstacle(plan: Plan, package: Package) -> str:
    """Why a task can't be run as it is planned; empty if it can."""
    taken = {**package.settings.env, **package.settings.verifier_env}
    unset = sorted({name for value in taken.values() for name in _TAKEN.findall(value) if name not in plan.environ})
    if unset:
        return f"it takes {', '.join(unset)} from your environment, where that is not set"
    if plan.choice.environment != "local":
        return container.refusal(plan.image(package))
    return local.obstacle(package, plan.sandbox.kind) or (
        _covered(plan, package) if plan.sandbox.kind == "bwrap" else ""
    )


def _covered(plan: Plan, package: Package) -> str:
    """The work folder stands where a container has it, over what this machine has there."""
    name, workdir = shown_launch(plan, package).argv[0], local.recipe(package).workdir
    program = shutil.which(name, path=plan.environ.get("PATH"))
    if program and Path(program).resolve().is_relative_to(workdir):
        return (
            f"its work folder is put over {workdir}, where the agent's program {program!r} lies; install it elsewhere"
        )
    return ""


def resolved(env: Mapping[str, str], environ: Mapping[str, str]) -> dict[str, str]:
    """A task's variables with the caller's in their places."""
    return {name: _TAKEN.sub(lambda found: environ.get(found[1], ""), value) for name, value in env.items()}


def task(plan: Plan, package: Package, root: Path, skill_dirs: tuple[Path, ...] = ()) -> Task:
    """What the agent is told, the same words in every arm, for a workspace at `root`."""
    handed = root / "handed"
    return Task(
        prompt=WRAPPER.format(task=package.prompt),
        prompt_file=handed / "prompt.txt",
        work=root / "work",
        home=root / "home",
        skill_dirs=skill_dirs,
        model=plan.settings.model,
        environ=plan.environ,
        options={**plan.settings.options, "sandbox": plan.sandbox.kind, "solution": str(root / "programs/solve.sh")},
    )


def shown_launch(plan: Plan, package: Package) -> Launch:
    """The command line of a task, with the placeholder for what is only known when it runs."""
    place = PLACEHOLDER / "work" / plan.harness.skills_dir / "SKILL"
    return launch(plan.harness, task(plan, package, PLACEHOLDER, (place,)))


def _specs(plan: Plan) -> Iterator[Spec]:
    of_tree = cache(digest.of_tree)
    for package in plan.packages:
        for arm in plan.settings.arms:
            whole = _key(plan, package, arm, of_tree)
            for trial in range(1, plan.settings.trials + 1):
                yield Spec(plan.name, package, trial, digest.of_value([whole, trial]), arm)


def _key(plan: Plan, package: Package, arm: str, of_tree: Callable[..., str]) -> str:
    """All but the threshold, by which a stored reward is judged again."""
    choice = plan.choice
    return digest.of_value({
        **key.agent(plan, shown_launch(plan, package)),
        "arm": [arm, {each.at: of_tree(each.source, NOT_STAGED) for each in plan.staged(package, arm)}],
        "task": [package.id, of_tree(package.folder)],
        "variables": resolved({**package.settings.env, **package.settings.verifier_env}, plan.environ),
        "multipliers": [choice.execute_multiplier, choice.verifier_multiplier],
        "image": "" if choice.environment == "local" else plan.image(package),
        "resources": plan.granted(package),
    })  # fmt: skip
