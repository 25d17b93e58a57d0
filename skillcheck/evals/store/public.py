"""What anybody may see of a run: one row a trial, whose columns are all that is ever written.

The columns are those that SkillsBench publishes. No free text of a trial is among them: what comes from a trial is a
number, a name of this program's, or the name of its task.
"""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any, NamedTuple

from skillcheck.evals.trace.outcome import CLASSES
from skillcheck.evals.workspace.arm import ARMS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from skillcheck.evals.store.record import Record

MAX_SCORE = 1.0
OF_THE_AGENT = frozenset({"agent-timeout", "context-limit", "skill-edited", "budget", "interrupted"})
"""The classes of errors that are no failure of what the agent ran on."""
BARE = frozenset({"without", "docs"})
"""The arms that offer no skill."""
UNKNOWN = "unknown"


class Row(NamedTuple):
    """One trial. The fields with a default may be left out by others, and are null where there is nothing to say.

    `condition` is the arm; `reward` is the verifier's, or 1 and 0 for passed and failed, null where there is none;
    `time_used` is in seconds. `task_digest`, `category`, `difficulty` and `tags` are what the run knows of the task.
    """

    task_id: str
    task_digest: str | None
    trial_id: str
    task_set: str | None
    task_set_digest: str | None
    category: str | None
    condition: str
    difficulty: str | None
    score_eligible: bool
    passed: bool
    reward: float | None
    max_score: float
    time_used: float
    error_type: str | None = None
    has_skills: bool | None = None
    infra_failure_type: str | None = None
    tags: tuple[str, ...] = ()


def rows(run: str, about: Mapping[str, Any], records: Iterable[Record]) -> tuple[Row, ...]:
    """The rows of a run, given its name and what its run.json says."""
    return tuple(_row(run, about, record) for record in records)


def _row(run: str, about: Mapping[str, Any], record: Record) -> Row:
    name, task = _task(about, record)
    condition = record.arm if record.arm in ARMS else UNKNOWN
    is_error = record.status == "error"
    how = record.how if record.how in CLASSES else UNKNOWN
    tags = task.get("tags")
    return Row(
        task_id=name,
        task_digest=_text(task, "digest"),
        trial_id=f"{run}/{name}/{condition}/{record.trial}",
        task_set=_text(about, "task_set"),
        task_set_digest=_text(about, "task_set_digest"),
        category=_text(task, "category"),
        condition=condition,
        difficulty=_text(task, "difficulty"),
        score_eligible=not is_error,
        passed=record.status == "passed",
        reward=None if is_error else _reward(record),
        max_score=MAX_SCORE,
        time_used=round(record.seconds, 3),
        error_type=how if is_error else None,
        has_skills=None if condition == UNKNOWN else condition not in BARE and task.get("skills") != [],
        infra_failure_type=how if is_error and how not in OF_THE_AGENT else None,
        tags=tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else (),
    )


def _task(about: Mapping[str, Any], record: Record) -> tuple[str, Mapping[str, Any]]:
    """The id of a trial's task, and what run.json says of it: an eval has its skill's name before its own."""
    tasks = about.get("tasks")
    known = tasks if isinstance(tasks, dict) else {}
    name = record.eval if record.eval in known else f"{record.skill}/{record.eval}"
    told = known.get(name)
    return name, told if isinstance(told, dict) else {}


def _reward(record: Record) -> float:
    if record.verified and record.verified.reward is not None:
        return record.verified.reward
    return MAX_SCORE if record.status == "passed" else 0.0


def _text(told: Mapping[str, Any], name: str) -> str | None:
    value = told.get(name)
    return value if isinstance(value, str) else None


def text(found: Sequence[Row], *, as_csv: bool) -> str:
    """The rows as JSON lines or as CSV, where null is an empty cell and tags have semicolons between them."""
    if not as_csv:
        return "".join(json.dumps(row._asdict(), ensure_ascii=False) + "\n" for row in found)
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(Row._fields)
    writer.writerows([_cell(value) for value in row] for row in found)
    return table.getvalue()


def _cell(value: Any) -> str:
    if isinstance(value, tuple):
        return ";".join(value)
    return "" if value is None else json.dumps(value) if isinstance(value, bool | float) else str(value)
