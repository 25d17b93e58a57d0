"""The fitness index as a report: every score with the files that it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from skillcheck.diagnostic import clipped
from skillcheck.errors import SkillcheckError
from skillcheck.evals import digest, planning
from skillcheck.evals.arm import TREATED
from skillcheck.evals.evaluation import store_of
from skillcheck.evals.store import about
from skillcheck.fitness import evidence
from skillcheck.report import Report, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from skillcheck.catalog.catalog import Catalog
    from skillcheck.fitness.evidence import Tried
    from skillcheck.studies.fitness import Fitness, Item, Score
    from skillcheck.studies.intervals import Interval

_SHOWN = 120


class Index(NamedTuple):
    """The fitness of a skill, and the trials that it was made of."""

    skill: str
    fitness: Fitness
    tried: tuple[Tried, ...]


def report(catalog: Catalog, runs: Sequence[Path]) -> Report:
    """The fitness of the selected skills that these runs tried, or that can't be read at all."""
    tried, faults = _tried(catalog, runs)
    indices = tuple(_indices(catalog, tried))
    return Report.of(
        (),
        metrics={"skills": len(indices), "runs": [run.name for run in runs]},
        records={"fitness": tuple(map(_record, indices))},
        tables=tuple(_tables(indices)),
        summary=(
            *(line for index in indices for line in _told(index)),
            *faults,
            *_changed(catalog, runs, indices),
            *(() if indices else ("none of these skills was tried in these runs",)),
            f"runs: {', '.join(run.name for run in runs)}",
        ),
    )


def _tried(catalog: Catalog, runs: Sequence[Path]) -> tuple[Mapping[str, list[Tried]], tuple[str, ...]]:
    """The trials by skill, each once even where a run took it over from another, and what can't be used."""
    cases = {(skill.name, str(case.id)): case for skill, _, case in planning.evals(catalog)}
    store = store_of(catalog.config, {})
    found: dict[str, dict[str, Tried]] = {}
    faults: list[str] = []
    gone: dict[str, None] = {}
    for run in runs:
        trials, broken = store.read(run)
        faults += broken
        for folder, record in trials:
            case = cases.get((record.skill, record.eval))
            if case and record.arm == TREATED:
                shown = catalog.show(str(folder))
                found.setdefault(record.skill, {}).setdefault(record.key, evidence.read(shown, folder, record, case))
            elif not case and record.skill not in catalog.known:
                gone[f"left out: {record.skill} is no skill of this catalog"] = None
    return {skill: list(trials.values()) for skill, trials in found.items()}, (*faults, *gone)


def _indices(catalog: Catalog, tried: Mapping[str, list[Tried]]) -> Iterator[Index]:
    from skillcheck.studies.fitness import fitness, purpose_of  # noqa: PLC0415 - loads scipy

    for skill in catalog.reported_skills:
        trials = tried.get(skill.name, [])
        if skill.frontmatter is None:
            yield Index(skill.name, fitness(evidence.unloadable(skill.shown, skill.faults[-1])), ())
        elif trials:
            tags = {trial.task: trial.case.card.tags for trial in trials}
            found = fitness(
                evidence.observed(trials),
                edge=evidence.edge(trials),
                followed=evidence.followed(trials),
                purpose=purpose_of(tuple(tags.values())),
            )
            yield Index(skill.name, found, tuple(trials))


def _record(index: Index) -> dict[str, Any]:
    found = index.fitness
    return {
        "skill": index.skill,
        "total": found.total,
        "interval": _ends(found.interval),
        "confidence": found.confidence,
        "purpose": found.purpose,
        "risk": found.risk,
        "admission": found.admission,
        "review": found.review,
        "advice": found.advice,
        "scores": [_score(score) for score in found.scores],
        "robustness": _score(found.robustness),
        "evals": [dict(zip(_EVALS, row, strict=True)) for row in _evals(index)],
        "agents": _agents(index),
    }


def _ends(interval: Interval | None) -> dict[str, float] | None:
    return interval._asdict() if interval else None


def _score(score: Score) -> dict[str, Any]:
    return {
        "name": score.name,
        "value": score.value,
        "weight": score.weight,
        "interval": _ends(score.interval),
        "missing": score.missing,
        "evidence": [item._asdict() for item in score.items],
    }


_SCORES = ("score", "value", "weight", "observed", "95 % interval")
_EVALS = ("eval", "category", "difficulty", "passed", "graded", "errors")


def _evals(index: Index) -> Iterator[tuple[str, str, int | None, int, int, int]]:
    by_eval: dict[str, list[Tried]] = {}
    for trial in index.tried:
        by_eval.setdefault(trial.record.eval, []).append(trial)
    for name, trials in by_eval.items():
        card, graded = trials[0].case.card, [trial for trial in trials if trial.is_graded]
        passed = sum(trial.record.status == "passed" for trial in graded)
        yield name, card.category, card.difficulty or None, passed, len(graded), len(trials) - len(graded)


def _agents(index: Index) -> list[str]:
    records = (trial.record for trial in index.tried)
    return list(dict.fromkeys(f"{record.harness} {record.model}".strip() for record in records))


def _tables(indices: Sequence[Index]) -> Iterator[Table]:
    if indices:
        columns = ("skill", "total", "95 % interval", "confidence", "risk", "robustness", "review")
        yield Table("Fitness", columns, tuple(map(_row, indices)))
    for index in indices:
        scores = (*index.fitness.scores, index.fitness.robustness)
        yield Table(f"{index.skill}: scores", _SCORES, tuple(map(_score_row, scores)))
        rows = tuple(tuple("" if cell is None else str(cell) for cell in row) for row in _evals(index))
        if rows:
            yield Table(f"{index.skill}: evals", _EVALS, rows)
        evidences = tuple(_evidence_row(score.name, item) for score in scores for item in score.items)
        yield Table(f"{index.skill}: evidence", ("score", "of", "worth", "what", "where"), evidences)


def _row(index: Index) -> tuple[str, ...]:
    found = index.fitness
    review = "needed" if found.review else "not needed"
    total, interval = _number(found.total), _interval(found.interval)
    return index.skill, total, interval, found.confidence, found.risk, found.admission, review


def _score_row(score: Score) -> tuple[str, ...]:
    if score.value is None:
        return score.name, "n/a", "", score.missing, ""
    weight = f"{score.weight:.1f} %" if score.weight else ""
    tasks = len({item.task for item in score.items})
    kind = "agent" if score.name == "compatibility" else "eval"
    seen = (
        f"{sum(item.value for item in score.items):g} of {len(score.items)}, {tasks} {kind}{'' if tasks == 1 else 's'}"
    )
    return score.name, _number(score.value), weight, seen, _interval(score.interval)


def _evidence_row(score: str, item: Item) -> tuple[str, ...]:
    return score, item.task, f"{item.value:g}", clipped(item.what, _SHOWN), item.where


def _number(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.1f}"


def _interval(interval: Interval | None) -> str:
    return f"{interval.low:.1f} to {interval.high:.1f}" if interval else "n/a"


def _told(index: Index) -> Iterator[str]:
    found = index.fitness
    purpose = f", weighed for {found.purpose}" if found.purpose else ""
    yield f"{index.skill}: {_number(found.total)}{purpose}; agents: {', '.join(_agents(index)) or 'none'}"
    yield from (f"  review: {line}" for line in found.review)
    yield from (f"  advice: {line}" for line in found.advice)
    unasked = sum(not trial.record.asks_model for trial in index.tried)
    if unasked:
        yield f"  {unasked} of {len(index.tried)} trials asked no model, and tell of the evals and not of an agent"
    ungraded = sum(map(evidence.ungraded, index.tried))
    if ungraded:
        yield f"  acceptance items without a verdict, which count for nothing since no judge was asked: {ungraded}"


def _changed(catalog: Catalog, runs: Sequence[Path], indices: Sequence[Index]) -> Iterator[str]:
    """The skills whose case file is not the one that a run was made with: their cards were not declared before it."""
    files = {skill.name: file for skill, file, _ in planning.evals(catalog)}
    for run in runs:
        try:
            then = about(run).get("cases", {})
        except SkillcheckError:
            continue  # told with the trials
        for index in indices:
            file = files.get(index.skill)
            if file and index.skill in then and then[index.skill] != digest.of_tree(file.path):
                yield f"{file.shown} has changed since {run.name}: what its cards declare may be newer than the trials"
