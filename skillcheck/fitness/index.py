"""The fitness of each skill by stored runs, and what of the runs doesn't enter it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from skillcheck.evals.plan import planning
from skillcheck.evals.workspace import digest
from skillcheck.fitness import evidence
from skillcheck.past.runs import origins

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from skillcheck.catalog.cases import CaseFile, Eval
    from skillcheck.catalog.catalog import Catalog
    from skillcheck.catalog.skill import Skill
    from skillcheck.fitness.evidence import Tried
    from skillcheck.past.runs import Run
    from skillcheck.studies.fitness import Fitness

    Cases = Mapping[tuple[str, str], tuple[CaseFile, Eval]]


class Index(NamedTuple):
    """The fitness of a skill, the trials that it was made of, and the same of those of each agent."""

    skill: Skill
    fitness: Fitness
    tried: tuple[Tried, ...] = ()
    by_agent: Mapping[str, Fitness] = {}


def indices(catalog: Catalog, runs: Sequence[Run]) -> Iterator[Index]:
    """The fitness of the selected skills that the runs tried, or that can't be loaded at all."""
    from skillcheck.studies.fitness import fitness  # noqa: PLC0415 - loads scipy

    tried = _tried(catalog, runs)
    for skill in catalog.reported_skills:
        trials = tried.get(skill.name, ())
        if skill.load_fault:
            yield Index(skill, fitness(evidence.unloadable(skill.shown, skill.load_fault)))
        elif trials:
            agents = dict.fromkeys(trial.agent for trial in trials)
            by_agent = {agent: _fitness([trial for trial in trials if trial.agent == agent]) for agent in agents}
            yield Index(skill, _fitness(trials), trials, by_agent)


def left_out(catalog: Catalog, runs: Sequence[Run]) -> Iterator[str]:
    """What was tried and is no more in the catalog; nothing of skills that weren't asked for."""
    cases, asked = _cases(catalog), {skill.name for skill in catalog.reported_skills if not skill.load_fault}
    asked -= {name for skill, _ in _without_cases(catalog) for name in (skill.name, skill.folder)}
    tried = dict.fromkeys(
        (record.skill, record.eval) for run in runs if "choice" not in run.about for record in run.records
    )
    yield from (f"left out: run {run.name} is of task packages" for run in runs if "choice" in run.about)
    for skill, case in tried:
        if skill in asked and (skill, case) not in cases:
            yield f"left out: eval {case} of {skill} is no more in the catalog"
    for skill in dict.fromkeys(skill for skill, _ in tried):
        if skill not in catalog.known:
            yield f"left out: {skill} is no skill of this catalog"


def unreadable(catalog: Catalog, runs: Sequence[Run]) -> Iterator[str]:
    """The case files that can't be read, of skills that were tried: nobody can tell what their trials were of."""
    tried = {record.skill for run in runs for record in run.records}
    for skill, file in _without_cases(catalog):
        if skill.name in tried:
            yield f"{file.shown} can't be read: see `skillcheck check`"


def _without_cases(catalog: Catalog) -> Iterator[tuple[Skill, CaseFile]]:
    broken = {file.stem: file for file in catalog.reported_cases if file.located.value is None}
    for skill in catalog.reported_skills:
        file = broken.get(skill.name) or broken.get(skill.folder)
        if file:
            yield skill, file


def changed(catalog: Catalog, runs: Sequence[Run], found: Sequence[Index]) -> Iterator[str]:
    """The skills and case files that aren't those of a run, so that it tells of older ones."""
    files = {skill: file for (skill, _), (file, _) in _cases(catalog).items()}
    for run in runs:
        skills, cases = run.about.get("skills", {}), run.about.get("cases", {})
        for skill in (index.skill for index in found):
            if skill.name in skills and digest.of_tree(skill.path.parent) != skills[skill.name]:
                yield f"{skill.shown} has changed since {run.name}: its trials are of the older one"
            file = files.get(skill.name)
            if file and skill.name in cases and digest.of_tree(file.path) != cases[skill.name]:
                yield f"{file.shown} has changed since {run.name}: what its cards declare may be newer than the trials"


def _cases(catalog: Catalog) -> Cases:
    return {(skill.name, str(case.id)): (file, case) for skill, file, case in planning.evals(catalog)}


def _tried(catalog: Catalog, runs: Sequence[Run]) -> Mapping[str, tuple[Tried, ...]]:
    """The trials by skill, each once even where a run took it over from another."""
    cases, origin = _cases(catalog), origins(runs)
    found: dict[str, dict[tuple[str, str], Tried]] = {}
    for run in runs:
        for folder, record in run.trials:
            if (record.skill, record.eval) in cases:
                _, case = cases[record.skill, record.eval]
                trial = evidence.read(catalog.show(str(folder)), folder, record, case)
                found.setdefault(record.skill, {}).setdefault(origin(run, record), trial)
    return {skill: tuple(trials.values()) for skill, trials in found.items()}


def _fitness(trials: Sequence[Tried]) -> Fitness:
    from skillcheck.studies.fitness import fitness, purpose_of  # noqa: PLC0415 - loads scipy

    tags = {trial.task: trial.case.card.tags for trial in trials}
    return fitness(
        evidence.observed(trials),
        edge=evidence.edge(trials),
        followed=evidence.followed(trials),
        purpose=purpose_of(tuple(tags.values())),
    )
