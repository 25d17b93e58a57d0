"""Behavioral evals as commands see them: what keeps an eval from being run, and plans and results as reports."""

from __future__ import annotations

import shlex
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from skillcheck import experiment
from skillcheck.diagnostic import Severity
from skillcheck.errors import SkillcheckError, UsageError
from skillcheck.evals import executor as executors
from skillcheck.evals.harness import environment
from skillcheck.evals.plan.plan import FIXTURES, PLACEHOLDER, task
from skillcheck.evals.plan.planning import make
from skillcheck.evals.running import summary
from skillcheck.evals.running.evaluation import store_of
from skillcheck.evals.running.remote import EVALS
from skillcheck.evals.workspace.arm import TREATED
from skillcheck.report import Report, Table
from skillcheck.rules import TrialRule, active, run
from skillcheck.suppress import suppress

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from skillcheck.catalog.cases import Eval
    from skillcheck.catalog.catalog import Catalog
    from skillcheck.config import Config
    from skillcheck.diagnostic import Diagnostic
    from skillcheck.evals.executor import Taken
    from skillcheck.evals.harness import Launch
    from skillcheck.evals.plan.plan import Plan
    from skillcheck.evals.plan.settings import Settings
    from skillcheck.evals.running.results import Results

FAMILY = frozenset({"behavior"})
OBSTACLES = frozenset({
    "case-schema", "dangling-evidence", "duplicate-name", "empty-description", "escaping-fixture",
    "eval-without-fixture", "file-too-large", "invalid-check", "invalid-json", "invalid-yaml", "missing-fixture",
    "missing-frontmatter", "misspelled-key", "provisional-eval", "repeated-eval-id", "repeated-key",
    "unreadable-file", "unusable-fixture",
})  # fmt: skip
"""The rules that tell why a skill, a case file or a fixture can't be used."""


def plan(catalog: Catalog, settings: Settings, environ: Mapping[str, str]) -> Plan:
    """Plan the evals of the selected skills; those that a finding stands in are told and left out.

    Raises UsageError for an unknown harness, grader or eval, and where there is no eval at all.
    """
    found = _found(catalog, OBSTACLES)
    broken = tuple(d._replace(severity=Severity.ERROR) for d in found if _hinders(d, catalog))
    return make(catalog, settings, environ, broken)


def _found(catalog: Catalog, wanted: frozenset[str], results: Results | None = None) -> tuple[Diagnostic, ...]:
    rules = active(catalog.config, wanted)
    return tuple(suppress(run(rules, catalog, results=results), catalog, rules))


def _hinders(diagnostic: Diagnostic, catalog: Catalog) -> bool:
    """Whether a finding concerns evals: all of it does in a skill, in a case file what stands outside `trigger`."""
    file = next((file for file in catalog.reported_cases if file.shown == diagnostic.path), None)
    if file is None:
        return diagnostic.severity == Severity.ERROR
    triggers = file.located.value.get("trigger") if isinstance(file.located.value, dict) else None
    return triggers is None or not file.span("trigger").holds(diagnostic.span)


def planned(plans: Sequence[Plan]) -> Report:
    """What a run would do, with one agent or several, and what it would still need on this machine."""
    with ExitStack() as stack:
        taken = [stack.enter_context(executors.taken(plan, EVALS, plan.settings)) for plan in plans]
        parts = {each.plan.harness.name: _planned(each) for each in taken}
    report = _together(plans[0].catalog.config, parts)
    if len(plans) == 1:
        return report
    calls = {name: sum(part.metrics[name] for part in parts.values()) for name in ("agent_calls", "grader_calls")}
    total = f"calls in all: {calls['agent_calls']} to agents, {calls['grader_calls']} to the grader"
    return replace(report, metrics={**report.metrics, **calls}, summary=(*report.summary, total))


def _together(config: Config, parts: Mapping[str, Report]) -> Report:
    """One report of several agents', each named where it speaks of its own trials; that of one stays as it is."""
    if len(parts) == 1:
        return next(iter(parts.values()))
    of_trials = {rule.name for rule in active(config, FAMILY) if isinstance(rule, TrialRule)}
    found = (
        d._replace(message=f"{harness}: {d.message}") if d.rule in of_trials else d
        for harness, part in parts.items()
        for d in part.diagnostics
    )
    (first, *_) = parts.values()
    return Report.of(
        dict.fromkeys(found),
        metrics={"skills": first.metrics["skills"], "harnesses": {name: part.metrics for name, part in parts.items()}},
        records={
            name: tuple(chain(*(part.records.get(name, ()) for part in parts.values()))) for name in first.records
        },
        tables=tuple(t._replace(title=f"{harness}: {t.title}") for harness, part in parts.items() for t in part.tables),
        summary=tuple(
            line for harness, part in parts.items() for line in (f"{harness}:", *(f"  {each}" for each in part.summary))
        ),
    )


def _planned(taken: Taken[Plan]) -> Report:
    plan = taken.plan
    return Report.of(
        (*plan.broken, *_found(plan.catalog, FAMILY)),
        metrics={
            "skills": len(plan.catalog.selected),
            "agent_calls": len(plan.specs) if plan.harness.asks_model else 0,
            "grader_calls": plan.judged * plan.settings.votes,
        },
        records={"plan": tuple(_eval(plan))},
        tables=_tables(plan),
        summary=(*_told(plan), *taken.told(plan.settings)),
    )


def _eval(plan: Plan) -> Iterator[dict[str, Any]]:
    for spec in plan.specs:
        if spec.trial == 1 and spec.arm == TREATED:
            launch, case = plan.launch(spec.case), spec.case
            yield {
                "harness": plan.harness.name,
                "arms": list(plan.settings.arms),
                "skill": spec.skill.name,
                "eval": str(case.id),
                "artifact": _artifact(case.kind),
                "fixtures": len(case.files),
                "trials": plan.settings.trials,
                "checks": len(case.checks),
                "expectations": len(case.judged),
                "command": _shown(shlex.join(launch.argv)),
                "environment": _names(plan, case, launch),
            }


def _names(plan: Plan, case: Eval, launch: Launch) -> list[str]:
    return sorted(environment(plan.harness, task(plan, case, "", PLACEHOLDER), launch, plan.settings.env))


def _artifact(kind: str) -> str:
    return "execution trace in workspace" if kind == "execution" else "dialogue transcript"


def _shown(command: str) -> str:
    return command.replace(str(PLACEHOLDER), "<workspace>").replace(str(FIXTURES), "<fixtures>")


def _tables(plan: Plan) -> tuple[Table, ...]:
    columns = ("skill", "eval", "artifact", "fixtures", "trials", "checks", "expectations")
    rows = tuple(tuple(str(entry[name]) for name in columns) for entry in _eval(plan))
    return (Table("[dry-run] Evals", columns, rows),) if rows else ()


def _told(plan: Plan) -> Iterator[str]:
    settings = plan.settings
    entries = tuple(_eval(plan))
    for command in dict.fromkeys(entry["command"] for entry in entries):
        yield f"command: {command}"
    for names in dict.fromkeys(tuple(entry["environment"]) for entry in entries):
        yield f"environment: {', '.join(names)}"
    version = f" {plan.machine.version}" if plan.machine.version else ""
    yield f"agent: {plan.harness.name}{version}, delivery {settings.delivery}, sandbox {plan.sandbox.kind}"
    yield f"grader: {plan.judge.name if plan.judge else 'none, the checks alone count'}"
    calls = len(plan.specs) if plan.harness.asks_model else 0
    told = f"{calls} to the agent, {plan.judged * settings.votes} to the grader"
    if plan.is_experiment:
        yield f"arms: {', '.join(settings.arms)}"
        told += f" ({len(entries)} evals x {len(settings.arms)} arms x {settings.trials} trials)"
    yield from _shard(plan)
    yield f"calls: {told}{_stored(plan)}"
    yield from experiment.forecast(plan.specs, settings.trials) if plan.is_experiment else ()
    if plan.harness.asks_model and settings.max_cost_usd is None:
        yield "cost: no limit; --max-cost-usd sets one"
    yield from _left_out(plan)
    yield from (f"warning: {what}" for what in plan.warnings)


def _shard(plan: Plan) -> Iterator[str]:
    own = len(dict.fromkeys(spec.task for spec in plan.specs))
    return summary.shard(plan.settings.shard, own, len(plan.whole), "evals")


def _stored(plan: Plan) -> str:
    """How many trials need not be run again."""
    store = store_of(plan.catalog.config, {})
    count = 0 if plan.settings.fresh else sum(store.find(spec.key) is not None for spec in plan.specs)
    return f", less those of {count} trials whose result is stored" if count else ""


def _unrun(plan: Plan) -> Iterator[dict[str, str]]:
    for skill, case, reason in plan.left_out:
        yield {"skill": skill, "eval": case, "reason": reason}


def _left_out(plan: Plan) -> Iterator[str]:
    for skill, case, reason in plan.left_out:
        yield f"left out: eval {case} of {skill}: {reason}"


def report(runs: Sequence[Results]) -> Report:
    """What a run came to, or one with each of several agents."""
    return _together(runs[0].plan.catalog.config, {each.plan.harness.name: _report(each) for each in runs})


def _report(results: Results) -> Report:
    plan, records = results.plan, results.records
    told = experiment.told(records)
    return Report.of(
        (*plan.broken, *_found(plan.catalog, FAMILY, results)),
        metrics={"skills": len(plan.catalog.selected), "run": results.run, **summary.metrics(records)},
        records={"trials": summary.trials(records), "left_out": tuple(_unrun(plan)), **told.records},
        tables=(*summary.tables(records), *told.tables),
        summary=(
            *told.summary,
            *_shard(plan),
            *_left_out(plan),
            *summary.notes(records),
            *summary.summary(records, plan.settings.max_cost_usd),
            *_run(results),
        ),
    )


def _run(results: Results) -> Iterator[str]:
    if results.run:
        yield f"run: {results.plan.catalog.show(str(store_of(results.plan.catalog.config, {}).root / results.run))}"


def status(runs: Sequence[Results], report: Report) -> int:
    """The exit status: 2 where a case is broken, 3 where trials are errors, 1 where some failed, else 0."""
    if any(each.plan.broken for each in runs):
        return UsageError.exit_status
    if any(record.status == "error" for each in runs for record in each.records):
        return SkillcheckError.exit_status
    return report.exit_status(runs[0].plan.catalog.config.fail_on)
