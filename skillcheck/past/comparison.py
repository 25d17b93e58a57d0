"""Stored runs held against each other: what differed, which results differ beyond noise, what a framework drops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from skillcheck.catalog.fault import Fault
from skillcheck.diagnostic import Problem, clipped
from skillcheck.errors import UsageError
from skillcheck.evals.plan import key
from skillcheck.evals.store.store import RUN
from skillcheck.experiment import arm, grouped, plain
from skillcheck.past.arrival import arrival
from skillcheck.report import Report, Table
from skillcheck.rules import active, told
from skillcheck.span import START

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from skillcheck.catalog.catalog import Catalog
    from skillcheck.evals.store.record import Record
    from skillcheck.past.arrival import Arrival
    from skillcheck.past.runs import Run
    from skillcheck.studies.exact import Counts
    from skillcheck.studies.study import Study

    Arrivals = Mapping[tuple[str, str], Arrival]

FAMILY = frozenset({"history"})
NOISE = "within noise"
_WORDS = {"helps": "better", "hurts": "worse", "no material effect": "no material difference"}
_SHOWN, _DIGEST = 80, 12
_OF_TRIALS: Mapping[str, Callable[[Record], str]] = {
    "agent": lambda record: record.harness,
    "version": lambda record: record.version,
    "model": lambda record: record.model,
    "delivery": lambda record: record.delivery,
    "sandbox": lambda record: record.sandbox,
    "grader": lambda record: " ".join(filter(None, (record.grading.judge, record.grading.model))),
}
_OF_RUN = {
    "version told": "harness_version",
    "model asked for": "model",
    "skillcheck": "skillcheck",
    "commit": "commit",
}
_OF_SETTINGS = {"trials": "trials", "timeout": "timeout_s", "idle timeout": "idle_s"}


class Line(NamedTuple):
    """An eval, or with `text` one of its expectations or checks, in both runs.

    `remark` says whether they differ; `p` is adjusted for the lines of the two runs, None where it is not below ALPHA.
    """

    skill: str
    eval: str
    text: str
    counts: Counts
    remark: str
    p: float | None


class Comparison(NamedTuple):
    """Another run held against the first: the skills as a whole, and line by line."""

    base: Run
    other: Run
    studies: Mapping[str, Study]
    lines: tuple[Line, ...]


def report(catalog: Catalog, runs: Sequence[Run], *, anyway: bool) -> Report:
    """Each run against the first; `anyway` compares those too that did different things.

    Raises UsageError where a run can't be read or shares no eval with the first.
    """
    base, *others = runs
    for run in runs:
        if not run.records:
            raise UsageError("; ".join((f"run {run.name} has no trials", *run.faults)))
    unlike = {} if anyway else {run.name: why for run in others if (why := _unlike(base, run))}
    compared = [_compared(base, run) for run in others if run.name not in unlike]
    skills = tuple(grouped((record for run in runs for record in run.records), lambda record: record.skill))
    arrivals = {(run.name, skill): arrival(catalog, run, skill) for run in runs for skill in skills if _has(run, skill)}
    places = [
        *((run, Fault("unlike-runs", _refusal(base, unlike[run.name]))) for run in others if run.name in unlike),
        *((run, Fault("dropped-skill", problem)) for run in runs for problem in _dropped(run, arrivals)),
    ]
    shown = ((catalog.show(str(run.path / RUN)), fault) for run, fault in places)
    return Report.of(
        told(active(catalog.config, FAMILY), shown, catalog.config),
        metrics={"skills": len(skills)},
        records={"comparisons": tuple(map(_metrics, compared)), "arrivals": tuple(_arrived(arrivals))},
        tables=(*_differences(runs), *(table for each in compared for table in _tables(each)), *_reached(arrivals)),
        summary=(
            *(fault for run in runs for fault in run.faults),
            *(line for each in compared for line in _told(each)),
        ),
    )


def _has(run: Run, skill: str) -> bool:
    return any(record.skill == skill for record in run.records)


def _unlike(base: Run, other: Run) -> str:
    """What two runs did differently that must be the same; empty where nothing is."""
    deliveries = [", ".join(sorted({record.delivery for record in run.records})) for run in (base, other)]
    if deliveries[0] != deliveries[1]:
        return f"the skill was given by {deliveries[0]} and by {deliveries[1]}"
    grades = [{_name(record): key.of_grade(record.key) for record in run.records} for run in (base, other)]
    changed = [name for name, grade in grades[0].items() if grades[1].get(name, grade) != grade]
    listed = ", ".join(f"{case} of {skill}" for skill, case in changed)
    return f"the task, a fixture or the grading differs in eval {clipped(listed, _SHOWN)}" if changed else ""


def _name(record: Record) -> tuple[str, str]:
    return record.skill, record.eval


def _refusal(base: Run, why: str) -> Problem:
    return Problem(START, f"not compared with {base.name}: {why}", "--anyway compares them nevertheless")


def _compared(base: Run, other: Run) -> Comparison:
    from skillcheck.studies.study import study, together  # noqa: PLC0415 - loads scipy

    shared = {_name(record) for record in base.records} & {_name(record) for record in other.records}
    if not shared:
        message = f"runs {base.name} and {other.name} have no eval in common"
        raise UsageError(message)
    sides = [[record for record in run.records if _name(record) in shared] for run in (other, base)]
    new, old = (grouped(side, lambda record: record.skill) for side in sides)
    studies = together({skill: study(arm(records), arm(old[skill])) for skill, records in new.items()})
    return Comparison(base, other, studies, _lines(studies, new, old))


def _lines(
    studies: Mapping[str, Study], new: Mapping[str, Sequence[Record]], old: Mapping[str, Sequence[Record]]
) -> tuple[Line, ...]:
    from skillcheck.studies import several  # noqa: PLC0415 - see above
    from skillcheck.studies.exact import difference  # noqa: PLC0415 - see above
    from skillcheck.studies.level import ALPHA  # noqa: PLC0415 - see above

    asked = [(skill, *line) for skill in studies for line in _counted(new[skill], old[skill])]
    tests = [difference(counts) for *_, counts in asked]
    found = several.found(tests, ALPHA)

    def remark(index: int) -> str:
        if index in found:
            return f"differs, p = {found[index]:.2g}"
        return NOISE if tests[index].least <= ALPHA else f"{NOISE}: too few trials to tell"

    return tuple(Line(*line, remark(index), found.get(index)) for index, line in enumerate(asked))


def _counted(new: Iterable[Record], old: Iterable[Record]) -> Iterator[tuple[str, str, Counts]]:
    """Each eval that was graded in both runs, then its expectations and checks."""
    from skillcheck.studies.exact import Counts  # noqa: PLC0415 - see above

    sides = [grouped((r for r in side if r.status != "error"), lambda record: record.eval) for side in (new, old)]
    for case in (case for case in sides[0] if case in sides[1]):
        verdicts = [[_verdicts(record) for record in side[case]] for side in sides]
        for text in dict.fromkeys(text for each in verdicts[0] for text in each):
            known = [[each[text] for each in side if text in each] for side in verdicts]
            yield case, text, Counts(*(count for side in known for count in (len(side), sum(side))))


def _verdicts(record: Record) -> dict[str, bool]:
    """By text, the empty one for the whole trial."""
    judged = (*record.grading.checks, *record.grading.expectations)
    return {"": record.status == "passed", **{each.text: each.passed for each in judged}}


def _dropped(run: Run, arrivals: Arrivals) -> Iterator[Problem]:
    for (name, skill), found in arrivals.items():
        if name != run.name:
            continue
        if found.telling and not found.listed:
            yield _drop(f"{skill!r} was not listed", found.telling, run)
        elif _chose(run, skill) and found.trials and found.loaded == 0:
            yield _drop(
                f"{skill!r} was listed and not loaded" if found.listed else f"{skill!r} was not loaded",
                found.trials,
                run,
            )
        for file, count in (found.read or {}).items():
            readers = [n for (n, s), each in arrivals.items() if s == skill and (each.read or {}).get(file)]
            if found.trials and not count and readers:
                yield _drop(f"{file} of {skill!r} was not read", found.trials, run, f"{readers[0]} read it")


def _chose(run: Run, skill: str) -> bool:
    """Whether the agent had to find the skill by itself."""
    return any(r.skill == skill and r.delivery == "native" and r.asks_model for r in run.records)


def _drop(what: str, trials: int, run: Run, hint: str = "") -> Problem:
    often = "the trial" if trials == 1 else f"any of {trials} trials"
    return Problem(START, f"{run.records[0].harness}: {what} in {often}", hint)


def _differences(runs: Sequence[Run]) -> tuple[Table, ...]:
    """What the runs did differently, one row each."""
    told_of = [dict(_aspects(run)) for run in runs]
    names = dict.fromkeys(name for aspects in told_of for name in aspects)
    rows = ((name, *(aspects.get(name, "") for aspects in told_of)) for name in names)
    differing = tuple(row for row in rows if len(set(row[1:])) > 1)
    return (Table("What differed", ("", *(run.name for run in runs)), differing),) if differing else ()


def _aspects(run: Run) -> Iterator[tuple[str, str]]:
    for name, of in _OF_TRIALS.items():
        yield name, ", ".join(sorted({of(record) for record in run.records} - {""}))
    for name, field in _OF_RUN.items():
        yield name, str(run.about.get(field, ""))
    settings = run.about.get("settings", {})
    yield from ((name, str(settings.get(field, ""))) for name, field in _OF_SETTINGS.items())
    for kind in ("skills", "cases", "fixtures"):
        digests = run.about.get(kind, {})
        yield from ((f"{kind.removesuffix('s')} {name}", digest[:_DIGEST]) for name, digest in digests.items())


def _tables(found: Comparison) -> Iterator[Table]:
    for skill in found.studies:
        rows = tuple(_row(line) for line in found.lines if line.skill == skill)
        columns = ("eval", "what", found.base.name, found.other.name, "difference", "")
        yield Table(f"{skill}: {found.other.agents} against {found.base.agents}", columns, rows)


def _row(line: Line) -> tuple[str, ...]:
    new, new_held, old, old_held = line.counts
    rates = f"{old_held} of {old}", f"{new_held} of {new}"
    delta = f"{new_held / new - old_held / old:+.2f}" if new and old else "n/a"
    return line.eval, clipped(line.text, _SHOWN) or "passed", *rates, delta, line.remark


def _told(found: Comparison) -> Iterator[str]:
    """The verdict on each skill, and what it took."""
    for skill, each in found.studies.items():
        interval = each.effect.t if each.effect and each.verdict.word != "insufficient" else None
        size = f"{each.effect.delta:+.3f}" if each.effect else "n/a"
        within = f" ({interval.low:+.2f} to {interval.high:+.2f})" if interval else ""
        word = _WORDS.get(each.verdict.word, NOISE)
        yield f"{skill}: {found.other.name} against {found.base.name}: {word}, {size}{within}: {each.verdict.reason}"
        if each.ratios:
            yield "  " + ", ".join(f"{measure} x {ratio.ratio:.2f}" for measure, ratio in each.ratios.items())
        if each.unpaired:
            yield f"  left out, without a graded trial in both: {', '.join(each.unpaired)}"
        if each.unbalanced:
            yield "  unbalanced: a run lost more than 10 % of its trials to errors, which may have biased the result"


def _metrics(found: Comparison) -> dict[str, Any]:
    return {
        "base": found.base.name,
        "other": found.other.name,
        "skills": [{"skill": skill, **plain(each)} for skill, each in found.studies.items()],
        "lines": [plain(line) for line in found.lines],
    }


def _arrived(arrivals: Arrivals) -> Iterator[dict[str, Any]]:
    for (run, skill), found in arrivals.items():
        yield {"run": run, "skill": skill, **found._asdict()}


def _reached(arrivals: Arrivals) -> Iterator[Table]:
    rows = tuple((run, skill, *_reach(found)) for (run, skill), found in arrivals.items())
    yield Table("What reached the agent", ("run", "skill", "listed", "loaded", "files that a call names"), rows)


def _reach(found: Arrival) -> tuple[str, ...]:
    if found.read is None:
        files = "can't be told: the skill has changed since"
    else:
        files = (
            ", ".join(f"{file} in {count} of {found.trials}" for file, count in found.read.items()) or "there are none"
        )
    listed = f"{found.listed} of {found.telling}" if found.telling else "not told"
    loaded = "not told" if found.loaded is None else f"{found.loaded} of {found.trials}"
    return listed, loaded, files
