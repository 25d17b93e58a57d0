"""Benchmarks as commands see them: plans and results of task packages as reports."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from skillcheck import experiment
from skillcheck.bench import dataset, running
from skillcheck.bench import plan as plans
from skillcheck.bench.load import load_sets
from skillcheck.bench.remote import TASKS
from skillcheck.bench.rows import rates, slices
from skillcheck.errors import UsageError
from skillcheck.evals import executor as executors
from skillcheck.evals.running import summary
from skillcheck.evals.running.evaluation import store_of
from skillcheck.evals.workspace.arm import TREATED
from skillcheck.report import Report, Table

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from skillcheck.bench.choice import Choice
    from skillcheck.bench.package import Package
    from skillcheck.bench.plan import Plan
    from skillcheck.bench.running import Results
    from skillcheck.config import Config
    from skillcheck.evals.executor import Taken
    from skillcheck.evals.plan.settings import Settings
    from skillcheck.evals.running.runner import Progress


@contextmanager
def planned(
    folders: Sequence[str], zip_url: str, choice: Choice, settings: Settings, environ: Mapping[str, str]
) -> Iterator[Plan]:
    """A plan for the tasks below some folders and of a zip, which is there as long as the plan is needed.

    Raises UsageError where there are no such tasks, and for an unknown harness or layout.
    """
    with dataset.opened(folders, zip_url) as roots:
        loaded = load_sets(roots, choice.ids)
        yield plans.make(dataset.name_of(tuple(roots)), loaded, choice, settings, environ, tuple(roots))


def run(
    plan: Plan, config: Config, tell: Callable[[Progress], None] | None = None, stop: threading.Event | None = None
) -> Results:
    """Run a plan, and keep what came of it where a catalog keeps its runs. Raises as `running.run` does."""
    store = store_of(config, plan.environ, (*plan.harness.keys, *plan.settings.env))
    return running.run(plan, store, tell, stop)


def forecast(plan: Plan) -> Report:
    """What a run would do, and what it would still need."""
    with executors.taken(plan, TASKS, plan.settings) as taken:
        return _forecast(taken)


def _forecast(taken: Taken[Plan]) -> Report:
    plan = taken.plan
    tasks = tuple(_planned(plan, package) for package in plan.packages)
    calls = len(plan.specs) if plan.harness.asks_model else 0
    columns = ("task", "layout", "category", "difficulty", "skills", "trials", "agent_timeout_s")
    cells = tuple(tuple(str(task[name]) for name in columns) for task in tasks)
    return Report.of(
        plan.findings,
        metrics={"skills": _skills(plan), "tasks": len(tasks), "agent_calls": calls},
        records={"tasks": tasks},
        tables=(Table("[dry-run] Tasks", columns, cells),) if cells else (),
        summary=(*_told(plan, calls), *taken.told(plan.settings)),
    )


def _planned(plan: Plan, package: Package) -> dict[str, Any]:
    settings, given = package.settings, plan.granted(package)
    return {
        "task": package.id,
        "layout": package.layout,
        "category": settings.category,
        "difficulty": settings.difficulty,
        "tags": list(settings.tags),
        "skills": len(package.skills),
        "trials": plan.settings.trials,
        "agent_timeout_s": settings.agent_timeout_s * plan.choice.execute_multiplier,
        "verifier_timeout_s": settings.verifier_timeout_s * plan.choice.verifier_multiplier,
        "asked": {"cpus": given.asked.cpus, "memory_mb": given.asked.memory_mb},
        "granted": {"cpus": given.cpus, "memory_mb": given.memory_mb},
    }


def _skills(plan: Plan) -> int:
    return sum(len(package.skills) for package in plan.packages)


def _told(plan: Plan, calls: int) -> Iterator[str]:
    version = f" {plan.machine.version}" if plan.machine.version else ""
    yield f"agent: {plan.harness.name}{version}, environment {plan.choice.environment}, sandbox {plan.sandbox.kind}"
    yield _counts(plan)
    yield from summary.shard(plan.settings.shard, len(plan.packages), len(plan.whole), "tasks")
    if plan.choice.validate:
        yield f"validation: the oracle and nothing at all, {2 * len(plan.packages)} trials without a model"
    if plan.is_experiment:
        yield f"arms: {', '.join(plan.settings.arms)}"
        yield from experiment.forecast(plan.specs, plan.settings.trials)
    yield f"calls: {calls} to the agent"
    if calls and plan.settings.max_cost_usd is None:
        yield "cost: no limit; --max-cost-usd sets one"
    yield from (f"warning: {what}" for what in plan.warnings)


def _counts(plan: Plan) -> str:
    left_out = f", {plan.refused} can't be run here, {plan.broken} must be mended"
    return f"tasks: {len(plan.packages)} of {plan.name} to run{left_out if plan.refused or plan.broken else ''}"


def report(results: Results, config: Config) -> Report:
    """What a run came to."""
    plan, records, found = results.plan, results.records, results.rows
    told = experiment.told(records)
    by_arm = {arm: rates([row for row in found if row["arm"] == arm]) for arm in plan.settings.arms if found}
    groups = slices(found)
    metrics = {"skills": _skills(plan), "run": results.run, **summary.metrics(records), "rates": by_arm}
    return Report.of(
        plan.findings,
        metrics=metrics,
        records={
            "trials": summary.trials(records),
            "details": found,
            "slices": groups,
            **told.records,
        },
        tables=(*_tables(found, groups), *summary.verdicts(records), *told.tables),
        summary=(
            *told.summary,
            _counts(plan),
            *summary.shard(plan.settings.shard, len(plan.packages), len(plan.whole), "tasks"),
            *(_rates(arm, found) for arm, found in by_arm.items()),
            *_passes(plan, records),
            *(f"task {r.eval}, {r.arm} {r.trial}: {note}" for r in records for note in r.notes),
            *_bypassed(records),
            *summary.summary(records, plan.settings.max_cost_usd),
            *([f"run: {store_of(config, {}).root / results.run}"] if results.run else ()),
        ),
    )


def _tables(found: Sequence[Mapping[str, Any]], groups: Sequence[Mapping[str, Any]]) -> Iterator[Table]:
    tasks: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in found:
        tasks.setdefault((row["task_id"], row["arm"]), []).append(row)
    columns = ("passed", "reward", "errors", "seconds")
    if tasks:
        cells = tuple((*name, *_cells(each), ", ".join(_classes(each))) for name, each in tasks.items())
        yield Table("Tasks", ("task", "arm", *columns, "ended"), cells)
    for name in ("category", "difficulty"):  # tags are many; they are in the JSON
        of_group = tuple(
            (group["value"], group["arm"], str(group["tasks"]), *_shares(group))
            for group in groups
            if group["by"] == name
        )
        if of_group:
            yield Table(f"By {name}", (name, "arm", "tasks", "pass rate", "mean reward", "errors"), of_group)


def _cells(group: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    found = rates(group)
    passed = f"{found['passed']} of {found['eligible']}" if found["eligible"] else "n/a"
    seconds = sum(row["seconds"] for row in group)
    return passed, _number(found["mean_reward"]), str(found["infra_failed"]), f"{seconds:.1f}"


def _classes(group: Sequence[Mapping[str, Any]]) -> list[str]:
    return sorted({row["class"] for row in group} - {"completed"})


def _shares(group: Mapping[str, Any]) -> tuple[str, ...]:
    return _percent(group["pass_rate"]), _number(group["mean_reward"]), str(group["infra_failed"])


def _rates(arm: str, found: Mapping[str, Any]) -> str:
    full, some = _percent(found["full_rate"]), _percent(found["any_rate"])
    mean, lost = _number(found["mean_reward"]), found["infra_failed"]
    return f"rewards {arm}: mean {mean}, {full} are 1, {some} are above 0; {lost} trials have none"


def _percent(share: float | None) -> str:
    return "n/a" if share is None else f"{share:.1%}"


def _number(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.3f}"


def _passes(plan: Plan, records: Sequence[Any]) -> Iterator[str]:
    """What several trials of a task are worth, by arm."""
    k = plan.settings.trials
    if k == 1:
        return
    from skillcheck.studies.study import passes  # noqa: PLC0415 - loads scipy

    for arm in plan.settings.arms:
        graded = [record for record in records if record.arm == arm and record.status != "error"]
        counts = [
            (len(each), sum(record.status == "passed" for record in each))
            for name in dict.fromkeys(record.eval for record in graded)
            if (each := [record for record in graded if record.eval == name])
        ]
        for share in filter(None, (passes(counts, each) for each in (1, k))):
            yield f"{arm}: pass@{share.k} {share.at:.1%}, pass^{share.k} {share.hat:.1%} of {share.tasks} tasks"


def _bypassed(records: Sequence[Any]) -> Iterator[str]:
    """The tasks whose agent was offered skills, and read none."""
    offered = [r for r in records if r.arm == TREATED and r.asks_model and r.status != "error"]
    names = sorted({record.eval for record in offered if record.loaded is False})
    if names:
        yield f"skills not read in some trial: {', '.join(names)}"


def readiness(plan: Plan) -> int:
    """The exit status of a dry run: 2 where a task must be mended, or none can be run in any shard."""
    return UsageError.exit_status if plan.broken or not plan.whole else 0


def status(results: Results, report: Report, config: Config) -> int:
    """The exit status: as `readiness`, then as the trials have it, then by the findings."""
    return readiness(results.plan) or summary.status(results.records) or report.exit_status(config.fail_on)
