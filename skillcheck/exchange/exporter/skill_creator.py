"""skill-creator's workspace, as its aggregate script and its viewer read it, one folder a skill.

`eval-<id>/<with_skill|without_skill>/run-<n>/` holds grading.json, timing.json, eval_metadata.json and outputs/; arms
without a name there keep ours. benchmark.json has the numbers that the script computes, where there is something to
compute: no difference without a second arm, no zeros for an arm without a graded run. `runs_per_configuration` is
counted, and our own statistics stand apart, under `statistics`.

A trial that ended in an error has no grading.json, since the script counts a missing rate as 0. The times stand in
timing.json alone: where grading.json has them the script looks for tokens nowhere else.
"""

from __future__ import annotations

import json
import statistics
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Any

from skillcheck.evals.store.store import folder_name, shaped, timing
from skillcheck.evals.trace.trace import ToolResult
from skillcheck.exchange.exporter import Exporter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from skillcheck.evals.store.record import Record
    from skillcheck.evals.store.store import Kept, Stored
    from skillcheck.exchange.exporter import Run

CONFIGURATIONS = {"with": "with_skill", "without": "without_skill"}
"""What arms are called there; others keep their names."""
DELTAS: Mapping[str, str] = {"pass_rate": "+.2f", "time_seconds": "+.1f", "tokens": "+.0f"}
"""What is summed up, and how a difference is written."""
DIGITS = 4

Ident = int | str
Graded = tuple["Record", dict[str, Any]]


def files(run: Run) -> Iterator[tuple[str, bytes]]:
    """The folders of all skills."""
    for skill, group in groupby(run.trials, key=lambda stored: stored.record.skill):
        yield from _skill(skill, tuple(group), run)


def _skill(skill: str, trials: Sequence[Stored], run: Run) -> Iterator[tuple[str, bytes]]:
    ident = _idents(trials)
    gradings: list[Graded] = []
    for stored in trials:
        record = stored.record
        folder = f"{folder_name(skill)}/eval-{folder_name(record.eval)}"
        place = f"{folder}/{_configuration(record)}/run-{record.trial}"
        metadata = _json(_metadata(record, ident(record.eval), run.prompt(record)))
        kept = run.kept(stored)
        yield f"{folder}/eval_metadata.json", metadata
        yield f"{place}/eval_metadata.json", metadata
        yield f"{place}/timing.json", _json(timing(record))
        yield f"{place}/outputs/answer.md", _text(kept.trace.said[-1:])
        yield f"{place}/outputs/diff.txt", kept.patch
        yield f"{place}/transcript.md", _text(kept.trace.said)
        if record.status != "error" and record.grading.pass_rate is not None:
            gradings.append((record, _grading(record, record.grading.pass_rate, kept)))
            yield f"{place}/grading.json", _json(gradings[-1][1])
    yield f"{folder_name(skill)}/benchmark.json", _json(_benchmark(skill, trials, gradings, ident, run))


def _idents(trials: Iterable[Stored]) -> Callable[[str], Ident]:
    """Ids as numbers if all are, else as texts: the script sorts them, and can't compare one with the other."""
    numeric = all(stored.record.eval.isdecimal() for stored in trials)
    return int if numeric else str


def _configuration(record: Record) -> str:
    return CONFIGURATIONS.get(record.arm, record.arm)


def _metadata(record: Record, ident: Ident, prompt: str) -> dict[str, Any]:
    assertions = [each.text for each in record.grading.decisive]
    return {"eval_id": ident, "eval_name": record.eval, "prompt": prompt, "assertions": assertions}


def _grading(record: Record, rate: float, kept: Kept) -> dict[str, Any]:
    verdicts = record.grading.decisive
    calls = Counter(call.name for call in kept.trace.calls)
    passed = sum(each.passed for each in verdicts)
    return {
        "expectations": shaped(verdicts),
        "assertion_results": shaped(verdicts),
        "summary": {"passed": passed, "failed": len(verdicts) - passed, "total": len(verdicts), "pass_rate": rate},
        "execution_metrics": {
            "tool_calls": dict(sorted(calls.items())),
            "total_tool_calls": calls.total(),
            "total_steps": calls.total(),
            "errors_encountered": sum(isinstance(e, ToolResult) and e.is_error for e in kept.trace.events),
            "output_chars": sum(map(len, kept.trace.said[-1:])),
            "transcript_chars": sum(map(len, kept.trace.said)),
        },
    }


def _benchmark(
    skill: str, trials: Sequence[Stored], gradings: Sequence[Graded], ident: Callable[[str], Ident], run: Run
) -> dict[str, Any]:
    records = [stored.record for stored in trials]
    lost = len(trials) - len(gradings)
    runs = [_run(record, grading, ident(record.eval)) for record, grading in gradings]
    runs.sort(key=_configured)
    return {
        "metadata": {
            "skill_name": skill,
            "skill_path": "",
            "executor_model": records[0].model,
            "analyzer_model": records[0].grading.model,
            "timestamp": min(record.started for record in records).replace("+00:00", "Z"),
            "evals_run": list(dict.fromkeys(ident(record.eval) for record in records)),
            "runs_per_configuration": max(record.trial for record in records),
        },
        "runs": runs,
        "run_summary": _summary(runs),
        "notes": [f"{lost} of {len(trials)} trials ended in errors and count nowhere"] if lost else [],
        "statistics": run.statistics.get(skill, []),
    }


def _run(record: Record, grading: Mapping[str, Any], ident: Ident) -> dict[str, Any]:
    metrics = grading["execution_metrics"]
    return {
        "eval_id": ident,
        "eval_name": record.eval,
        "configuration": _configuration(record),
        "run_number": record.trial,
        "result": {
            **{key: grading["summary"][key] for key in ("pass_rate", "passed", "failed", "total")},
            "time_seconds": timing(record)["total_duration_seconds"],
            "tokens": timing(record)["total_tokens"] or metrics["output_chars"],
            "tool_calls": metrics["total_tool_calls"],
            "errors": metrics["errors_encountered"],
        },
        "expectations": grading["expectations"],
        "notes": list(record.notes),
    }


def _configured(run: Mapping[str, Any]) -> str:
    return str(run["configuration"])


def _summary(runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The figures of each configuration over all runs of all evals, and the difference of the first two."""
    summary: dict[str, Any] = {}
    for name, group in groupby(runs, key=_configured):
        results = [run["result"] for run in group]
        summary[name] = {measure: _figures([result[measure] for result in results]) for measure in DELTAS}
    if len(summary) > 1:
        one, other = list(summary.values())[:2]
        differences = {measure: one[measure]["mean"] - other[measure]["mean"] for measure in DELTAS}
        summary["delta"] = {measure: format(differences[measure], form) for measure, form in DELTAS.items()}
    return summary


def _figures(values: Sequence[float]) -> dict[str, float]:
    """The standard deviation is that of a sample, 0 for a single value."""
    spread = statistics.stdev(values) if len(values) > 1 else 0.0
    figures = {"mean": statistics.fmean(values), "stddev": spread, "min": min(values), "max": max(values)}
    return {name: round(value, DIGITS) for name, value in figures.items()}


def _text(said: Iterable[str]) -> bytes:
    return "\n\n".join(said).encode("utf-8", "replace") + b"\n"


def _json(value: Any) -> bytes:
    return json.dumps(value, indent=2).encode() + b"\n"


EXPORTER = Exporter("skill-creator", __doc__, files)
