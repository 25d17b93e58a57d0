"""The fitness index as a report: every score with the files that it rests on."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from skillcheck.catalog.fault import Fault
from skillcheck.diagnostic import Problem, clipped
from skillcheck.evals.trace.outcome import NOT_OFFERED
from skillcheck.fitness import evidence
from skillcheck.fitness.index import changed, indices, left_out, unreadable
from skillcheck.past.runs import damage
from skillcheck.report import Report, Table
from skillcheck.rules import active, told
from skillcheck.span import START

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from skillcheck.catalog.catalog import Catalog
    from skillcheck.fitness.evidence import Tried
    from skillcheck.fitness.index import Index
    from skillcheck.past.runs import Run
    from skillcheck.studies.fitness import Fitness, Item, Score
    from skillcheck.studies.intervals import Interval

RULE = "below-threshold"
_SHOWN = 120


def report(catalog: Catalog, runs: Sequence[Run], least: Mapping[str, float], named: Collection[str]) -> Report:
    """The fitness of the selected skills that these runs tried, or that can't be loaded at all.

    A score, or the `total`, that is below what `least` says of it is a finding, as is one that isn't known, and a skill
    without an index that was `named`. The metric `unreadable` counts what can't be relied on of runs and case files.
    """
    found = tuple(indices(catalog, runs))
    faults = (*(fault for run in runs for fault in (*run.faults, *damage(run))), *unreadable(catalog, runs))
    return Report.of(
        told(active(catalog.config, frozenset({RULE})), _below(catalog, found, least, named), catalog.config),
        metrics={"skills": len(found), "unreadable": len(faults), "runs": [run.name for run in runs]},
        records={"fitness": tuple(map(_record, found))},
        tables=tuple(_tables(found)),
        summary=(
            *(line for index in found for line in _told(index)),
            *faults,
            *left_out(catalog, runs),
            *changed(catalog, runs, found),
            *(() if found else ("none of these skills was tried in these runs",)),
            f"runs: {', '.join(run.name for run in runs) or 'none'}",
        ),
    )


def _below(
    catalog: Catalog, found: Sequence[Index], least: Mapping[str, float], named: Collection[str]
) -> Iterator[tuple[str, Fault]]:
    if least and not found:
        yield catalog.show("."), Fault(RULE, Problem(START, "no skill has a fitness index"))
    elif least and named:
        for skill in catalog.reported_skills:
            if skill not in [index.skill for index in found]:
                yield skill.shown, Fault(RULE, Problem(START, f"{skill.name} has no fitness index"))
    for index in found:
        for name, bound in least.items():
            value = index.fitness.values[name]
            if value is None or value < bound:
                is_now = "n/a" if value is None else f"{value:g}"
                message = f"{name} of {index.skill.name} is {is_now}, not {bound:g} or more"
                yield index.skill.shown, Fault(RULE, Problem(START, message))


def _record(index: Index) -> dict[str, Any]:
    found = index.fitness
    return {
        "skill": index.skill.name,
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
        "agents": [_agent(agent, each) for agent, each in index.by_agent.items()],
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
        "tasks": score.tasks,
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
        passed = sum(trial.is_done for trial in graded)
        yield name, card.category, card.difficulty or None, passed, len(graded), len(trials) - len(graded)


def _agent(agent: str, found: Fitness) -> dict[str, Any]:
    return {
        "agent": agent,
        "interval": _ends(found.interval),
        "risk": found.risk,
        "admission": found.admission,
        **found.values,
    }


def _tables(indices: Sequence[Index]) -> Iterator[Table]:
    if indices:
        columns = ("skill", "total", "95 % interval", "confidence", "risk", "robustness", "review")
        yield Table("Fitness", columns, tuple(map(_row, indices)))
    for index in indices:
        scores = (*index.fitness.scores, index.fitness.robustness)
        name = index.skill.name
        yield Table(f"{name}: scores", _SCORES, tuple(map(_score_row, scores)))
        if index.tried:
            cells = (("" if cell is None else str(cell) for cell in row) for row in _evals(index))
            yield Table(f"{name}: evals", _EVALS, tuple(map(tuple, cells)))
        if len(index.by_agent) > 1:
            agents = index.by_agent.items()
            heads = ("agent", *index.fitness.values, "risk")
            yield Table(f"{name}: agents", heads, tuple(_agent_row(agent, each) for agent, each in agents))
        rows = (row for score in scores for row in _evidence(score))
        yield Table(f"{name}: evidence", ("score", "of", "worth", "times", "what", "where, first"), tuple(rows))


def _evidence(score: Score) -> Iterator[tuple[str, ...]]:
    """What was seen, with what is alike in one row; the JSON names every file."""
    alike: dict[Item, list[Item]] = {}
    for item in score.items:
        alike.setdefault(item._replace(where=""), []).append(item)
    for each, items in alike.items():
        told = clipped(each.what, _SHOWN)
        yield score.name, each.subject, f"{each.value:g}", str(len(items)), told, items[0].where


def _row(index: Index) -> tuple[str, ...]:
    found = index.fitness
    review = "needed" if found.review else "not needed"
    total, interval = _number(found.total), _interval(found.interval)
    return index.skill.name, total, interval, found.confidence, found.risk, found.admission, review


def _score_row(score: Score) -> tuple[str, ...]:
    if score.value is None:
        return score.name, "n/a", "", score.missing, ""
    weight = f"{score.weight:.1f} %" if score.weight else ""
    kind = "framework" if score.name == "compatibility" else "eval"
    held = f"{sum(item.value for item in score.items):g} of {len(score.items)}"
    seen = f"{held}, {score.tasks} {kind}{'' if score.tasks == 1 else 's'}"
    return score.name, _number(score.value), weight, seen, _interval(score.interval)


def _agent_row(agent: str, found: Fitness) -> tuple[str, ...]:
    return agent, *map(_number, found.values.values()), found.risk


def _number(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.1f}"


def _interval(interval: Interval | None) -> str:
    return f"{interval.low:.1f} to {interval.high:.1f}" if interval else "n/a"


def _told(index: Index) -> Iterator[str]:
    found = index.fitness
    purpose = f", weighed for {found.purpose}" if found.purpose else ""
    missing = ", ".join(score.name for score in found.scores if score.value is None)
    without = f", without {missing}" if missing and found.total is not None else ""
    yield f"{index.skill.name}: {_number(found.total)}{without}{purpose}; agents: {', '.join(index.by_agent) or 'none'}"
    yield from (f"  review: {line}" for line in found.review)
    yield from (f"  advice: {line}" for line in found.advice)
    yield from (f"  {line}" for line in _uncounted(index.tried))


def _uncounted(tried: Sequence[Tried]) -> Iterator[str]:
    """What says nothing of the skill, or less than it seems."""
    errors = Counter(trial.record.how for trial in tried if not trial.is_graded and trial.record.how != NOT_OFFERED)
    if errors:
        classes = ", ".join(f"{how} {count}" for how, count in sorted(errors.items()))
        yield f"{errors.total()} of {len(tried)} trials ended in an error, and count for nothing: {classes}"
    stopped = sum(trial.is_graded and trial.is_stopped for trial in tried)
    if stopped:
        yield f"{stopped} of {len(tried)} trials had to be stopped, and count as not done"
    lost = sum(trial.trace is None and trial.is_graded and trial.record.asks_model for trial in tried)
    if lost:
        yield f"{lost} of {len(tried)} trials have no trace that can be read, so that their explanations don't count"
    unasked = sum(not trial.record.asks_model for trial in tried)
    if unasked:
        yield f"{unasked} of {len(tried)} trials asked no model, and tell of the evals and not of an agent"
    ungraded = sum(map(evidence.ungraded, tried))
    if ungraded:
        yield f"acceptance items that count for nothing, since no judge was asked or they were edited since: {ungraded}"
