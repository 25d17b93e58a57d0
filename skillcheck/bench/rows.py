"""Trials as plain rows, for people's own DuckDB, and what groups of them come to."""

from __future__ import annotations

import csv
import io
import json
from itertools import groupby
from statistics import fmean
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from skillcheck.evals.store.record import Record

    Row = Mapping[str, Any]

GROUPS = ("category", "difficulty", "tags")
_SEPARATOR = "|"
"""What stands between the tags of a task in a CSV."""


def rows(tasks: Mapping[str, Row], records: Iterable[Record]) -> tuple[Row, ...]:
    """One row a trial, as plain JSON, given what run.json says of each task by id.

    `passed` is null where there is no reward, and `score_eligible` false.
    """
    return tuple(_row(tasks[record.eval], record) for record in records)


def _row(task: Row, record: Record) -> Row:
    reward = record.verified.reward if record.verified else None
    is_eligible = record.status != "error"
    return {
        "task_set": record.skill,
        "task_id": record.eval,
        "layout": task["layout"],
        "category": task["category"],
        "difficulty": task["difficulty"],
        "tags": task["tags"],
        "harness": record.harness,
        "model": record.model,
        "arm": record.arm,
        "trial": record.trial,
        "score_eligible": is_eligible,
        "reward": reward,
        "passed": record.status == "passed" if is_eligible else None,
        "status": record.status,
        "class": record.how,
        "message": record.message,
        "has_skills": bool(task["skills"]),
        "skill_loaded": record.loaded,
        "seconds": round(record.seconds, 3),
        "tokens": record.usage.total if record.usage else None,
        "cost_usd": record.cost_usd,
        "reused": record.reused,
    }


def as_jsonl(found: Iterable[Row]) -> str:
    """One JSON object a line."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in found)


def as_csv(found: Sequence[Row]) -> str:
    """A table with a header; null is an empty cell, and the tags of a task are one cell."""
    out = io.StringIO()
    writer = csv.DictWriter(out, found[0] if found else (), lineterminator="\n")
    writer.writeheader()
    writer.writerows({**row, "tags": _SEPARATOR.join(row["tags"])} for row in found)
    return out.getvalue()


def rates(found: Sequence[Row]) -> dict[str, Any]:
    """What some trials come to: rates are over those with a reward, 0 to 1, and null where there is none.

    `pass_rate` is by the threshold, `full_rate` counts rewards of 1, and `any_rate` those above 0.
    """
    rewards = [row["reward"] for row in found if row["score_eligible"]]
    count = len(rewards)
    passed = sum(bool(row["passed"]) for row in found)
    return {
        "tasks": len({row["task_id"] for row in found}),
        "trials": len(found),
        "eligible": count,
        "infra_failed": len(found) - count,
        "passed": passed,
        "pass_rate": passed / count if count else None,
        "full_rate": sum(reward == 1 for reward in rewards) / count if count else None,
        "any_rate": sum(reward > 0 for reward in rewards) / count if count else None,
        "mean_reward": fmean(rewards) if count else None,
    }


def slices(found: Sequence[Row]) -> tuple[Row, ...]:
    """The rates by category, difficulty and tag, in each arm; a task without any is in no group."""
    parts = [(name, str(value), row) for name in GROUPS for row in found for value in _values(row[name])]
    parts.sort(key=lambda part: (GROUPS.index(part[0]), part[1], part[2]["arm"]))
    grouped = groupby(parts, key=lambda part: (part[0], part[1], part[2]["arm"]))
    return tuple(
        {"by": name, "value": value, "arm": arm, **rates([row for *_, row in group])}
        for (name, value, arm), group in grouped
    )


def _values(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value] if value else []
