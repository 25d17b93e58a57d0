"""Stored runs over time as commands see them: how each agent did with each skill, and what is worse now."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

from skillcheck.catalog.fault import Fault
from skillcheck.diagnostic import Problem, clipped
from skillcheck.errors import UsageError
from skillcheck.evals.plan.planning import evals
from skillcheck.evals.running import summary
from skillcheck.evals.running.evaluation import store_of
from skillcheck.evals.store.store import RUN
from skillcheck.past.alarms import alarms, batches
from skillcheck.past.arrival import known_loads
from skillcheck.past.runs import damage
from skillcheck.report import Report, Table
from skillcheck.rules import active, told
from skillcheck.span import START
from skillcheck.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from skillcheck.catalog.cases import CaseFile, Eval
    from skillcheck.catalog.catalog import Catalog
    from skillcheck.evals.store.record import Record
    from skillcheck.past.alarms import Agent, Alarm, Batch
    from skillcheck.past.runs import Run
    from skillcheck.span import Span

    Cases = Mapping[tuple[str, str], tuple[CaseFile, Eval]]
    Spot = tuple[str, Span]
    Past = Mapping[Agent, Sequence[Batch]]

FAMILY = frozenset({"history"})
"""The rules on stored runs."""
_DIGEST = 8
_COLUMNS = (
    "run", "version", "answered by", "skill", "passed", "pass rate", "95 % interval", "errors", "loaded", "cost",
    "tokens a trial", "seconds a trial",
)  # fmt: skip


class Wanted(NamedTuple):
    """Which runs are looked at, all where nothing is named, and what raises an alarm.

    `last`: the newest so many of each agent; `least`: a pass rate in percent; `alert`: whether newest runs are tested
    against earlier ones.
    """

    skills: tuple[str, ...] = ()
    harness: str = ""
    model: str = ""
    last: int | None = None
    least: float | None = None
    alert: bool = False


def report(catalog: Catalog, runs: Sequence[Run], wanted: Wanted) -> Report:
    """The runs in the order of time, with what the newest raise an alarm about.

    The metric `unreadable` counts what can't be relied on of them.

    Raises UsageError where no run is left of those that are wanted.
    """
    past = _past(runs, wanted)
    faults = tuple(fault for run in runs for fault in run.faults)
    if not past:
        raise UsageError("; ".join((_nothing(runs, wanted), *faults)))
    since = min(found[-1].run for found in past.values())
    newest = [run for run in runs if run.name >= since]
    damaged = tuple(fault for run in newest for fault in damage(run))
    unreadable = len(damaged) + sum(len(run.faults) for run in newest)
    rows = tuple(_rows(past))
    found = alarms(past) if wanted.alert else ()
    places = (*_regressed(catalog, found), *_below(catalog, past, wanted.least))
    return Report.of(
        told(active(catalog.config, FAMILY), places, catalog.config),
        metrics={"skills": len({row["skill"] for row in rows}), "unreadable": unreadable},
        records={"history": rows},
        tables=tuple(_tables(rows)),
        summary=(*faults, *damaged, *(_tested(past, found) if wanted.alert else ())),
    )


def _past(runs: Iterable[Run], wanted: Wanted) -> Past:
    past = {agent: [_narrowed(batch, wanted.skills) for batch in found] for agent, found in batches(runs).items()}
    chosen = {agent: [n for n in found if _is_wanted(agent, n, wanted)] for agent, found in past.items()}
    return {agent: found[-wanted.last :] if wanted.last else found for agent, found in chosen.items() if found}


def _narrowed(batch: Batch, skills: Sequence[str]) -> Batch:
    return batch._replace(records=tuple(r for r in batch.records if not skills or r.skill in skills))


def _is_wanted(agent: Agent, batch: Batch, wanted: Wanted) -> bool:
    models = {agent.model, *(record.model for record in batch.records)}
    return bool(batch.records) and wanted.harness in {"", agent.harness} and wanted.model in {"", *models}


def _nothing(runs: Sequence[Run], wanted: Wanted) -> str:
    """What is not stored, and what is."""
    records = [record for run in runs for record in run.records]
    for what, names, known in (
        ("skill", wanted.skills, {record.skill for record in records}),
        ("harness", (wanted.harness,), {record.harness for record in records}),
        ("model", (wanted.model,), {record.model for record in records} | {run.about.get("model") for run in runs}),
    ):
        there = sorted(filter(None, known))
        for name in names:
            if name and there and name not in there:
                listed = f"; there are {clipped(', '.join(there))}"
                return f"no stored run of {what} {name!r}{did_you_mean(name, there, listed)}"
    if records:
        return "no stored run has trials of all that was asked for"
    return "no stored run has trials" if runs else "there are no stored runs"


def _rows(past: Past) -> Iterator[dict[str, Any]]:
    """One JSON object for each skill in each run."""
    from skillcheck.studies.intervals import wilson  # noqa: PLC0415 - loads scipy

    for agent, found in past.items():
        for batch in found:
            for skill in dict.fromkeys(record.skill for record in batch.records):
                records = [record for record in batch.records if record.skill == skill]
                graded = [record for record in records if record.status != "error"]
                passed = sum(record.status == "passed" for record in graded)
                yield {
                    "skill": skill,
                    **agent._asdict(),
                    "run": batch.run,
                    **_versions(batch, skill, records),
                    "trials": len(records),
                    "graded": len(graded),
                    "passed": passed,
                    "pass_rate": passed / len(graded) if graded else None,
                    "interval": wilson(passed, len(graded)),
                    "errors": len(records) - len(graded),
                    "loaded": known_loads(r.loaded for r in graded) if agent.delivery == "native" else None,
                    "cost_usd": summary.total_cost(record.cost_usd for record in records),
                    "tokens": _mean(record.usage.total if record.usage else None for record in graded),
                    "seconds": _mean(record.seconds for record in graded),
                }


def _versions(batch: Batch, skill: str, records: Iterable[Record]) -> dict[str, str]:
    return {
        "version": batch.about.get("harness_version", ""),
        "answered_by": ", ".join(sorted({record.model for record in records} - {""})),
        "digest": batch.about.get("skills", {}).get(skill, ""),
    }


def _mean(amounts: Iterable[float | None]) -> float | None:
    known = [amount for amount in amounts if amount is not None]
    return round(fmean(known), 3) if known else None


def _tables(rows: Sequence[Mapping[str, Any]]) -> Iterator[Table]:
    lines: dict[str, list[tuple[str, ...]]] = {}
    for row in rows:
        title = f"{row['skill']}: {' '.join(filter(None, (row['harness'], row['model'])))}, {row['delivery']}"
        lines.setdefault(title, []).append(_cells(row))
    for title, cells in lines.items():
        yield Table(title, _COLUMNS, tuple(cells))


def _cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    interval = row["interval"]
    return (
        row["run"],
        row["version"],
        row["answered_by"],
        row["digest"][:_DIGEST],
        f"{row['passed']} of {row['graded']}",
        "n/a" if row["pass_rate"] is None else f"{row['pass_rate']:.1%}",
        f"{interval.low:.1%} to {interval.high:.1%}" if interval else "n/a",
        str(row["errors"]),
        "" if row["loaded"] is None else f"{row['loaded']} of {row['graded']}",
        summary.UNKNOWN if row["cost_usd"] is None else f"${row['cost_usd']:.2f}",
        "" if row["tokens"] is None else f"{row['tokens']:,.0f}",
        "" if row["seconds"] is None else f"{row['seconds']:.1f}",
    )


def _tested(past: Past, found: Sequence[Alarm]) -> Iterator[str]:
    from skillcheck.studies.level import ALARM  # noqa: PLC0415 - loads scipy

    for agent, (*earlier, newest) in past.items():
        worse = sum(alarm.agent == agent for alarm in found)
        word = f"worse in {worse} dimension{'' if worse == 1 else 's'}" if worse else "within noise"
        against = f"against {len(earlier)} earlier: {word}" if earlier else "has none earlier to be compared with"
        yield f"{agent.label}: {newest.run} {against}"
    yield f"tested together, exactly: chance alone raises an alarm in at most {ALARM:.0%} of cases"


def _regressed(catalog: Catalog, found: Iterable[Alarm]) -> Iterator[tuple[str, Fault]]:
    spot = _spots(catalog)
    for alarm in found:
        dimension, (held, new), (held_before, old) = alarm.dimension, alarm.new, alarm.old
        path, span = spot(alarm.run, dimension.skill, dimension.eval, dimension.text)
        message = f"{dimension.name} fell to {held} of {new} trials, from {held_before} of {old} (p = {alarm.p:.2g})"
        yield path, Fault("regressed-dimension", Problem(span, message, f"{alarm.agent.label}: {alarm.run}"))


def _below(catalog: Catalog, past: Past, least: float | None) -> Iterator[tuple[str, Fault]]:
    """The skills and evals whose pass rate in the newest run is below `least` percent."""
    if least is None:
        return
    spot = _spots(catalog)
    for agent, (*_, newest) in past.items():
        run, graded = newest.run, [record for record in newest.records if record.status != "error"]
        for skill, case in _parts(graded):
            records = [r for r in graded if r.skill == skill and case in {"", r.eval}]
            passed = sum(record.status == "passed" for record in records)
            if 100 * passed < least * len(records):
                what = f"eval {case} of {skill}" if case else skill
                message = f"pass rate of {what} is {passed / len(records):.1%}, {passed} of {len(records)}"
                path, span = spot(run, skill, case)
                problem = Problem(span, f"{message}, below {least:g} %", f"{agent.label}: {run}")
                yield path, Fault("below-threshold", problem)


def _parts(records: Iterable[Record]) -> tuple[tuple[str, str], ...]:
    """Each skill, then its evals."""
    return tuple(dict.fromkeys(part for r in records for part in ((r.skill, ""), (r.skill, r.eval))))


def _spots(catalog: Catalog) -> Callable[..., Spot]:
    """Where something stands that is told of a run: in the case file, or where it isn't there any more in run.json."""
    cases = {(skill.name, str(case.id)): (file, case) for skill, file, case in evals(catalog)}
    files = {skill: file for (skill, _), (file, _) in cases.items()}
    root = store_of(catalog.config, {}).root

    def spot(run: str, skill: str, case: str = "", text: str = "") -> Spot:
        if (skill, case) in cases:
            file, found = cases[skill, case]
            inner = next((each.at for each in found.judged if each.text == text), ("id",))
            return file.shown, file.span(*found.at, *inner)
        whole = files.get(skill) if not case else None
        return whole.shown if whole else catalog.show(str(root / run / RUN)), START

    return spot
