"""What a run tells beside its findings: numbers and records for machines, a table and a summary for people."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Any

from skillcheck.diagnostic import clipped
from skillcheck.errors import SkillcheckError
from skillcheck.evals.trace.trace import Usage
from skillcheck.evals.workspace.arm import TREATED
from skillcheck.report import CLEAN, FINDINGS, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from skillcheck.evals.store.record import Judged, Record

UNKNOWN = "unknown"
_SHOWN = 80
_COLUMNS = ("skill", "eval", "arm", "trials passed", "verdicts", "errors", "tokens", "cost", "seconds")
_ARM = _COLUMNS.index("arm")


def metrics(records: Sequence[Record]) -> dict[str, Any]:
    """The numbers of a run as plain JSON: counts of the arm that evals are judged by, and what all of it took.

    `arms` has the counts of each arm, where there are several.
    """
    by_arm = {arm: _counts(group) for arm, group in _by_arm(records).items()}
    return {
        **by_arm.get(TREATED, _counts(())),
        **({"arms": by_arm} if len(by_arm) > 1 else {}),
        "cost_usd": total_cost(record.cost_usd for record in _asked(records)),
        "grader_cost_usd": total_cost(record.grading.cost_usd for record in records if record.grading.judge),
        "usage": _usage(total_usage(record.usage for record in records)),
        "grader_usage": _usage(total_usage(record.grading.usage for record in records)),
    }


def _by_arm(records: Iterable[Record]) -> dict[str, list[Record]]:
    """The arm that evals are judged by first, the others as they come."""
    found: dict[str, list[Record]] = {TREATED: []}
    for record in records:
        found.setdefault(record.arm, []).append(record)
    return found


def _counts(records: Sequence[Record]) -> dict[str, Any]:
    """`pass_rate` is over graded trials, 0 to 1, null where there is none."""
    status = Counter(record.status for record in records)
    graded = status["passed"] + status["failed"]
    return {
        "trials": len(records),
        "passed": status["passed"],
        "failed": status["failed"],
        "errors": status["error"],
        "by_class": dict(sorted(Counter(record.how for record in records).items())),
        "pass_rate": status["passed"] / graded if graded else None,
        "coverage": graded / len(records) if records else None,
    }


def total_cost(costs: Iterable[float | None]) -> float | None:
    """The sum in US dollars; None where a part is unknown, 0.0 where nothing was asked of a model."""
    known = list(costs)
    return None if None in known else sum((cost for cost in known if cost is not None), 0.0)


def total_usage(usages: Iterable[Usage | None]) -> Usage | None:
    """The sum of what is known; None where nothing is."""
    known = [usage for usage in usages if usage is not None]
    whole = Usage()
    for usage in known:
        whole = whole.plus(usage)
    return whole if known else None


def trials(records: Iterable[Record]) -> tuple[dict[str, Any], ...]:
    """The trials, one JSON object each."""
    return tuple(_trial(record) for record in records)


def tables(records: Iterable[Record]) -> tuple[Table, ...]:
    """One row an eval, and an arm where there are several."""
    groups = groupby(records, key=lambda record: (record.skill, record.eval, record.arm))
    rows = tuple(_row(list(group)) for _, group in groups)
    if all(row[_ARM] == TREATED for row in rows):
        plain = Table("Evals", _without_arm(_COLUMNS), tuple(map(_without_arm, rows)))
        return (plain,) if rows else ()
    return (Table("Evals", _COLUMNS, rows),)


def _without_arm(cells: tuple[str, ...]) -> tuple[str, ...]:
    return (*cells[:_ARM], *cells[_ARM + 1 :])


def verdicts(records: Iterable[Record]) -> tuple[Table, ...]:
    """What did not hold, and what became of trials without a grade."""
    rows = []
    for record in records:
        trial = (record.skill, record.eval, _trial_name(record))
        rows += [(*trial, clipped(each.text, _SHOWN), clipped(each.evidence, _SHOWN)) for each in record.grading.failed]
        if record.status == "error":
            rows.append((*trial, record.how, clipped(record.message, _SHOWN)))
    return (Table("Failed", ("skill", "eval", "trial", "what", "evidence"), tuple(rows)),) if rows else ()


def notes(records: Iterable[Record]) -> tuple[str, ...]:
    """What is worth knowing of single trials, one line each."""
    return tuple(f"eval {r.eval} of {r.skill}, trial {r.trial}: {note}" for r in records for note in r.notes)


def _trial_name(record: Record) -> str:
    return str(record.trial) if record.arm == TREATED else f"{record.arm} {record.trial}"


def summary(records: Sequence[Record], cap: float | None = None) -> tuple[str, ...]:
    """The counts, of each arm where there are several, then what was spent; `cap` is the limit in US dollars."""
    (_, judged), *controls = _by_arm(records).items()
    told = [_told(judged), _rate(judged)]
    if controls:
        told = [f"{TREATED}: {line}" for line in told] + [f"{arm}: {_told(group)}" for arm, group in controls]
    return (*told, *_loaded(judged), *_reused(records), *_spent(records, cap))


def shard(part: tuple[int, int], own: int, whole: int, what: str) -> Iterator[str]:
    """Which part of a whole run a run is, where it is one: so many of all evals or tasks."""
    number, parts = part
    if parts > 1:
        yield f"shard: {number}/{parts}, {own} of {whole} {what}"


def status(records: Sequence[Record]) -> int:
    """The exit status that trials ask for: 3 where some are errors, 1 where some with the skill failed, else 0."""
    if any(record.status == "error" for record in records):
        return SkillcheckError.exit_status
    return FINDINGS if any(each.status == "failed" and each.arm == TREATED for each in records) else CLEAN


def _told(records: Sequence[Record]) -> str:
    found = _counts(records)
    return f"{found['passed']} passed, {found['failed']} failed, {_errors(records)}"


def _rate(records: Sequence[Record]) -> str:
    found = _counts(records)
    graded = found["passed"] + found["failed"]
    rate = f"{found['pass_rate']:.1%}" if graded else "n/a"
    return f"pass rate {rate} ({found['passed']}/{graded} of graded), coverage {graded}/{len(records)}"


def _loaded(records: Iterable[Record]) -> Iterator[str]:
    """Whether the agent made use of the skill, where that was its choice and its output shows it."""
    free = [record for record in records if record.delivery == "native" and record.loaded is not None]
    if free:
        yield f"skill loaded in {sum(record.loaded is True for record in free)} of {len(free)} trials"


def _reused(records: Sequence[Record]) -> tuple[str, ...]:
    runs = Counter(record.reused for record in records if record.reused)
    told = ", ".join(f"{count} from {run}" for run, count in sorted(runs.items()))
    return (f"not run again, since nothing has changed: {told}",) if runs else ()


def _errors(records: Sequence[Record]) -> str:
    classes = Counter(record.how for record in records if record.status == "error")
    count = sum(classes.values())
    told = ": " + ", ".join(f"{n} {name}" for name, n in sorted(classes.items())) if classes else ""
    return f"{count} error{'' if count == 1 else 's'}{told}"


def _spent(records: Sequence[Record], cap: float | None) -> tuple[str, ...]:
    asked = _asked(records)
    judged = [record for record in records if record.grading.judge]
    lines = [f"agent: {_tokens(total_usage(r.usage for r in asked))}, {_money(asked)}"] if asked else []
    if judged:
        usage = total_usage(record.grading.usage for record in judged)
        price = total_cost(record.grading.cost_usd for record in judged)
        lines.append(f"grader: {_tokens(usage)}, cost {_price(price)}")
    known = sum((r.cost_usd or 0) + (r.grading.cost_usd or 0) for r in records if not r.reused)
    if cap is not None:
        over = f"; trials that ran when it was reached added ${known - cap:.2f}" if known > cap else ""
        lines.append(f"spent: ${known:.2f} of the ${cap:.2f} that --max-cost-usd allows{over}")
    elif asked:
        lines.append(f"spent: ${known:.2f} as far as known; without --max-cost-usd there is no limit")
    return tuple(lines)


def _asked(records: Iterable[Record]) -> list[Record]:
    """The trials whose agent began."""
    return [record for record in records if record.seconds > 0 and record.asks_model]


def _money(records: Sequence[Record]) -> str:
    unknown = sum(1 for record in records if record.cost_usd is None)
    known = sum(record.cost_usd or 0 for record in records)
    if unknown == len(records):
        return f"cost {UNKNOWN}"
    return f"cost ${known:.2f}" + (f" and {UNKNOWN} for {unknown} of {len(records)} trials" if unknown else "")


def _price(price: float | None) -> str:
    return UNKNOWN if price is None else f"${price:.2f}"


def _tokens(usage: Usage | None) -> str:
    if usage is None:
        return f"tokens {UNKNOWN}"
    cached = f", {usage.cache_write:,} written to and {usage.cache_read:,} read from a cache"
    return f"{usage.input:,} tokens in, {usage.output:,} out{cached if usage.cache_write or usage.cache_read else ''}"


def _row(records: list[Record]) -> tuple[str, ...]:
    first = records[0]
    graded = [record for record in records if record.status != "error"]
    verdicts = [each for record in graded for each in record.grading.decisive]
    usage = total_usage(record.usage for record in records)
    asked = _asked(records)
    return (
        first.skill,
        first.eval,
        first.arm,
        f"{sum(record.status == 'passed' for record in graded)} of {len(graded)}" if graded else "n/a",
        f"{sum(each.passed for each in verdicts)} of {len(verdicts)}" if verdicts else "n/a",
        str(len(records) - len(graded)),
        f"{usage.total:,}" if usage else "",
        _price(total_cost(record.cost_usd for record in asked)) if asked else "",
        f"{sum(record.seconds for record in records):.1f}",
    )


def _trial(record: Record) -> dict[str, Any]:
    return {
        "skill": record.skill,
        "eval": record.eval,
        "trial": record.trial,
        "arm": record.arm,
        "status": record.status,
        "class": record.how,
        "message": record.message,
        "attempts": record.attempts,
        "harness": record.harness,
        "version": record.version,
        "model": record.model,
        "delivery": record.delivery,
        "sandbox": record.sandbox,
        "expectations": [_judged(each) for each in record.grading.expectations],
        "checks": [_judged(each) for each in record.grading.checks],
        "usage": _usage(record.usage),
        "cost_usd": record.cost_usd,
        "seconds": round(record.seconds, 3),
        "tool_calls": record.calls,
        "skill_loaded": record.loaded,
        "reused": record.reused,
        "notes": list(record.notes),
    }


def _judged(each: Judged) -> dict[str, Any]:
    return {"text": each.text, "passed": each.passed, "evidence": each.evidence}


def _usage(usage: Usage | None) -> dict[str, int] | None:
    return usage._asdict() if usage else None
