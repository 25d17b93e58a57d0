"""Carry a benchmark out: validate its tasks, run the trials, keep what they came to."""

from __future__ import annotations

import shlex
import threading
from typing import TYPE_CHECKING, Any, NamedTuple

from skillcheck.bench import agentcompass, digest, rows
from skillcheck.bench.choice import scored
from skillcheck.bench.plan import shown_launch
from skillcheck.bench.remote import TASKS
from skillcheck.bench.validation import validated
from skillcheck.errors import SkillcheckError
from skillcheck.evals import executor as executors
from skillcheck.evals.running.evaluation import begin, carry_out, described
from skillcheck.evals.store import chain
from skillcheck.evals.workspace.digest import of_set

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from skillcheck.bench.plan import Plan
    from skillcheck.bench.rows import Row
    from skillcheck.evals.executor import Taken
    from skillcheck.evals.running.runner import Progress
    from skillcheck.evals.store.record import Record
    from skillcheck.evals.store.store import Store

ROWS_JSONL, ROWS_CSV = "rows.jsonl", "rows.csv"


class Results(NamedTuple):
    """What a run came to, in the plan's order; `run` is the folder's name in the store, empty where nothing ran.

    `rows` are those of rows.jsonl, `warnings` what the user should know beside.
    """

    plan: Plan
    records: tuple[Record, ...]
    rows: tuple[Row, ...] = ()
    run: str = ""
    warnings: tuple[str, ...] = ()


def run(
    plan: Plan, store: Store, tell: Callable[[Progress], None] | None = None, stop: threading.Event | None = None
) -> Results:
    """Run the trials of a plan, of sound tasks alone where that is wanted.

    One without trials leaves no run, unless it is a shard of one that has some. Raises SkillcheckError for what all
    trials would lack, and where the run's folder can't be written.
    """
    stop = stop or threading.Event()
    if plan.specs and plan.choice.validate:
        plan = validated(plan, stop)
    if not plan.specs and not (plan.whole and plan.settings.is_part):
        return Results(plan, ())
    with executors.taken(plan, TASKS, plan.settings, stop) as taken:
        if plan.specs and taken.lacks:
            raise SkillcheckError("; ".join(taken.lacks))
        return _carried_out(taken, store, tell, stop)


def _carried_out(
    taken: Taken[Plan], store: Store, tell: Callable[[Progress], None] | None, stop: threading.Event
) -> Results:
    plan = taken.plan
    about = _about(plan)
    course = begin(plan, store, about, stop)
    records = carry_out(
        course, plan.specs, taken.run, tell, lambda record: scored(record, plan.choice)._replace(skill=plan.name)
    )
    found = tabulate(course.run, about, records)
    return Results(plan, records, found, course.run.name, (*taken.warnings(), *chain.seal(course.run)))


def tabulate(run: Path, about: Mapping[str, Any], records: Sequence[Record]) -> tuple[Row, ...]:
    """Write the tables of a run, AgentCompass's and our rows, which are returned; `about` is what run.json says.

    Raises SkillcheckError where they can't be written.
    """
    found = rows.rows(about["tasks"], records)
    try:
        agentcompass.write(run, records, averaged=about["choice"]["averaged"])
        (run / ROWS_JSONL).write_text(rows.as_jsonl(found), "utf-8", newline="\n")
        (run / ROWS_CSV).write_text(rows.as_csv(found), "utf-8", newline="\n")
    except OSError as error:
        message = f"results can't be written to {run}: {error.strerror}"
        raise SkillcheckError(message) from error
    return found


def _about(plan: Plan) -> dict[str, Any]:
    """What run.json says beside the trials."""
    tasks = {package.id: digest.of_task(package.folder) for package in plan.packages}
    return {
        **described(plan, plan.whole[0].folder, [package.id for package in plan.whole]),
        "choice": {**plan.choice._asdict(), "caps": plan.choice.caps._asdict()},
        "task_set": plan.name,
        "task_set_digest": of_set(plan.name, tasks),
        "tasks": {package.id: {"digest": tasks[package.id], **_task(plan, package)} for package in plan.packages},
        "commands": sorted({shlex.join(shown_launch(plan, package).argv) for package in plan.packages}),
    }


def _task(plan: Plan, package: Any) -> Mapping[str, Any]:
    given = plan.granted(package)
    return {
        "folder": str(package.folder),
        "layout": package.layout,
        "category": package.settings.category,
        "difficulty": package.settings.difficulty,
        "tags": list(package.settings.tags),
        "skills": [folder.name for folder in package.skills],
        "image": "" if plan.choice.environment == "local" else plan.image(package),
        "asked": given.asked._asdict(),
        "caps": given.caps._asdict(),
        "granted": {"cpus": given.cpus, "memory_mb": given.memory_mb},
        "agent_timeout_s": package.settings.agent_timeout_s * plan.choice.execute_multiplier,
        "verifier_timeout_s": package.settings.verifier_timeout_s * plan.choice.verifier_multiplier,
    }
