"""Plan a run: which evals it takes, what it needs of this machine, and the key of each of its trials."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Literal

from skillcheck.diagnostic import clipped
from skillcheck.errors import SkillcheckError, UsageError
from skillcheck.evals import harness as harnesses
from skillcheck.evals.plan import key
from skillcheck.evals.plan.machine import judge_for, look
from skillcheck.evals.plan.plan import Plan, Spec
from skillcheck.evals.plan.selection import part, selected
from skillcheck.evals.workspace import digest
from skillcheck.evals.workspace.sandbox import choose
from skillcheck.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from skillcheck.catalog.cases import CaseFile, Eval
    from skillcheck.catalog.catalog import Catalog
    from skillcheck.catalog.skill import Skill
    from skillcheck.diagnostic import Diagnostic
    from skillcheck.evals.plan.machine import Machine
    from skillcheck.evals.plan.settings import Settings
    from skillcheck.evals.workspace.sandbox import Sandbox

    Entry = tuple[Skill, CaseFile, Eval]


def make(catalog: Catalog, settings: Settings, environ: Mapping[str, str], broken: tuple[Diagnostic, ...]) -> Plan:
    """Plan a run of the selected skills' evals; `broken` findings keep the evals that they stand in from being run.

    A shard may be left without a trial. Raises UsageError for an unknown harness, judge or eval, and where the selected
    skills have no eval that this run is for.
    """
    plan = prepared(catalog, settings, environ, broken)
    wanted = tuple((entry, _unfit(plan, entry[0], entry[2])) for entry in selected(_wanted(plan), settings))
    whole = tuple(f"{skill.name}/{case.id}" for (skill, _, case), unfit in wanted if not unfit)
    if not whole and not broken:
        told = "; ".join(f"eval {case.id} of {skill.name}: {unfit}" for (skill, _, case), unfit in wanted)
        message = f"nothing to run: {told}"
        raise UsageError(message)
    own = part(wanted, settings.shard)
    left_out = tuple((skill.name, str(case.id), unfit) for (skill, _, case), unfit in own if unfit)
    of_tree = cache(digest.of_tree)
    specs = tuple(
        spec for entry, unfit in own if not unfit for arm in settings.arms for spec in trials(plan, entry, arm, of_tree)
    )
    return replace(plan, specs=specs, left_out=left_out, whole=whole)


def prepared(
    catalog: Catalog, settings: Settings, environ: Mapping[str, str], broken: tuple[Diagnostic, ...] = ()
) -> Plan:
    """A plan without trials: the agent, the grader, the sandbox, and what the machine lacks of them."""
    harness = harnesses.named(settings.harness)
    judge = judge_for(settings, harness, environ)
    machine, sandbox = housed(settings.sandbox, look(harness, judge, settings, environ), hidden(catalog))
    return Plan(catalog, settings, harness, judge, machine, sandbox, environ, (), broken)


def housed(
    wanted: Literal["auto", "bwrap", "none"], machine: Machine, unseen: tuple[Path, ...]
) -> tuple[Machine, Sandbox]:
    """The sandbox that keeps agents from the `unseen`; where the wanted one can't be had, the machine lacks it."""
    try:
        return machine, choose(wanted, unseen)
    except SkillcheckError as error:
        return machine._replace(agent_lacks=(*machine.agent_lacks, str(error))), choose("none")


def hidden(catalog: Catalog) -> tuple[Path, ...]:
    """What agents must not see of the catalog: the evals with their answers, and the skills that aren't staged."""
    config = catalog.config
    return (catalog.fixtures.parent, *(config.root / path for path in config.paths))


def _unfit(plan: Plan, skill: Skill, case: Eval) -> str:
    """Why this run is not for an eval, empty if it is."""
    if skill.load_fault:
        return f"no agent can load the skill: {skill.load_fault.problem.message}"
    if not plan.judge and not case.checks:
        return "it has no checks, and there is no grader"
    return "it has no solution to run" if plan.harness.name == "oracle" and not case.solution else ""


def _wanted(plan: Plan) -> Iterator[Entry]:
    """The evals to run: of the selected skills, of the wanted ids, sound."""
    found = tuple(evals(plan.catalog))
    ids = {str(case.id) for _, _, case in found}
    for wanted in plan.settings.evals:
        if wanted not in ids:
            message = f"no eval {wanted!r} among the chosen skills{did_you_mean(wanted, sorted(ids), _listed(ids))}"
            raise UsageError(message)
    for skill, file, case in found:
        if (not plan.settings.evals or str(case.id) in plan.settings.evals) and not _is_broken(plan, file, case):
            yield skill, file, case
    if not found and not plan.broken:
        raise UsageError(_nothing(plan.catalog))


def _listed(ids: set[str]) -> str:
    return f"; there are {clipped(', '.join(sorted(ids)))}" if ids else ""


def evals(catalog: Catalog) -> Iterator[Entry]:
    """The evals of the selected skills, in order; of several skills with one name, the first has them."""
    by_stem = {file.stem: file for file in catalog.reported_cases}
    for skill in catalog.reported_skills:
        file = by_stem.pop(skill.name, None) or by_stem.pop(skill.folder, None)
        if file and skill.unreadable is None:
            yield from ((skill, file, case) for case in file.evals)


def _is_broken(plan: Plan, file: CaseFile, case: Eval) -> bool:
    whole = file.span(*case.at)
    return any(d.path == file.shown and whole.holds(d.span) for d in plan.broken)


def _nothing(catalog: Catalog) -> str:
    folder = catalog.show(catalog.config.cases)
    names = [skill.name for skill in catalog.reported_skills]
    which = f"{names[0]!r} has" if len(names) == 1 else "the chosen skills have"
    return f"{which} no behavioral evals in {folder}; see `skillcheck schema cases`"


def trials(plan: Plan, entry: Entry, arm: str, of_tree: Callable[[Path], str] = digest.of_tree) -> Iterator[Spec]:
    """The trials of an eval in an arm; `of_tree` may be one that remembers, since evals share skills and fixtures."""
    skill, file, case = entry
    for number, each in enumerate(key.of(plan, skill, file, case, arm, of_tree), 1):
        yield Spec(skill, file, case, number, each, arm)
