"""A run in the form of AgentCompass: summary.md, and details/<task>.json for each task.

AgentCompass knows no arms: where there are several, each has a folder of its own. Of several trials the best counts,
or their mean, as the run was asked.
"""

from __future__ import annotations

import json
from itertools import groupby
from statistics import fmean
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from skillcheck.evals.store.record import Record

FOLDER = "agentcompass"
COMPLETED, RUN_ERROR, EVAL_ERROR = "COMPLETED", "RUN_ERROR", "EVAL_ERROR"


def write(run: Path, records: Iterable[Record], *, averaged: bool) -> None:
    """Write what trials came to into a run's folder. Raises OSError where that can't be."""
    by_arm = [(arm, list(group)) for arm, group in groupby(sorted(records, key=_arm), key=_arm)]
    for arm, group in by_arm:
        home = run / FOLDER / (arm if len(by_arm) > 1 else "")
        (home / "details").mkdir(parents=True)
        tasks = {name: list(trials) for name, trials in groupby(sorted(group, key=_task), key=_task)}
        found = {name: _detail(name, trials, averaged=averaged) for name, trials in tasks.items()}
        for name, detail in found.items():
            text = json.dumps(detail, indent=2, ensure_ascii=False)
            (home / "details" / f"{name}.json").write_text(f"{text}\n", "utf-8", newline="\n")
        (home / "summary.md").write_text(_summary(group[0], tuple(found.values())), "utf-8", newline="\n")


def _arm(record: Record) -> str:
    return record.arm


def _task(record: Record) -> str:
    return record.eval


def _reward(record: Record) -> float | None:
    return record.verified.reward if record.verified and record.status != "error" else None


def _detail(name: str, trials: Sequence[Record], *, averaged: bool) -> dict[str, Any]:
    """One task: `correct` only where its score is 1; a task with any rewarded trial is no error."""
    rewards = {record: reward for record in trials if (reward := _reward(record)) is not None}
    best = max(rewards, key=lambda record: rewards[record]) if rewards else trials[0]
    score = (fmean(rewards.values()) if averaged else max(rewards.values())) if rewards else None
    extra: dict[str, Any] = {"verify_log": _log(best)}
    if len(trials) > 1:
        extra["attempts"] = [{"status": _status(each), "score": _reward(each)} for each in trials]
    return {
        "task_id": name,
        "correct": score == 1,
        "score": score,
        "status": _status(best),
        "error": best.message if score is None else None,
        "extra": extra,
    }


def _status(record: Record) -> str:
    if record.status != "error":
        return COMPLETED
    return EVAL_ERROR if record.how.startswith("verifier-") else RUN_ERROR


def _log(record: Record) -> dict[str, Any]:
    said = record.verified
    if said is None:
        return {"reward_error": record.message}
    told = {"reward_error": record.message} if said.reward is None else {"reward": said.reward}
    return {"test_stdout": said.stdout, "test_stderr": said.stderr, "test_return_code": said.status, **told}


def _summary(first: Record, details: Sequence[Mapping[str, Any]]) -> str:
    scores = [detail["score"] for detail in details if detail["score"] is not None]
    mean = f"{fmean(scores):.4f}" if scores else "n/a"
    cells = {
        "Model": first.model or first.harness,
        "Total": len(details),
        "Evaluated": len(scores),
        "Error": len(details) - len(scores),
        "mean_score": mean,
    }
    lines = (cells, ["---"] * len(cells), cells.values())
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)
