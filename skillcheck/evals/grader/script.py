"""A program of yours says how good the work is.

`path` names it below `evals/fixtures/`, in a fixture's `.eval/` for instance, which no agent sees. It may be any
program that can be run. It starts in the workspace, in the sandbox of the agent, and the last line that it prints is
its reward: a number from 0 to 1, or `{"score": 0.5, "details": "why"}`. The check is passed from `threshold` on, 1 by
default. There is no verdict if it ends with another status than 0, takes more than `timeout` seconds (60 by default),
prints anything else, or more than one reward.

````json
{"type": "script", "path": "inbox/.eval/reward.py", "threshold": 0.8}
````
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from skillcheck.diagnostic import clipped
from skillcheck.errors import SkillcheckError
from skillcheck.evals.grader import Evidence, Grade, Grader, UngradableError
from skillcheck.evals.trace.printed import ending, status
from skillcheck.evals.workspace.workfiles import FILE, describe, look
from skillcheck.located import ParseError
from skillcheck.located import json as located_json
from skillcheck.span import Lines

if TYPE_CHECKING:
    from collections.abc import Mapping

    from skillcheck.process import Completed

OPTIONS = {
    "type": "object",
    "required": ["path"],
    "additionalProperties": False,
    "properties": {
        "path": {"description": "A program below evals/fixtures/", "type": "string", "format": "fixture-path"},
        "threshold": {"description": "The least reward", "type": "number", "minimum": 0, "maximum": 1, "default": 1},
        "timeout": {"description": "Seconds", "type": "number", "exclusiveMinimum": 0, "maximum": 3600, "default": 60},
    },
}
_SHOWN = 400


def grade(options: Mapping[str, Any], evidence: Evidence) -> Grade:
    """Run the program and read its reward."""
    path, threshold = options["path"], options.get("threshold", 1)
    done = _run(path, evidence, options.get("timeout", 60))
    if done.status:
        raise UngradableError(_told(path, status(done), done))
    lines = done.stdout.decode("utf-8", "replace").strip().splitlines() or [""]
    rewards = [reward for reward in map(_reward, lines) if reward]
    last = _reward(lines[-1])
    if last is None or len(rewards) > 1:
        wrong = "gave more than one reward" if len(rewards) > 1 else "ended without a reward from 0 to 1"
        raise UngradableError(_told(path, wrong, done))
    score, details = last
    reason = f"{path!r} gave {score:g}, and {threshold:g} is wanted{details and ': '}{details}"
    return Grade(score >= threshold, reason, score)


def _run(path: str, evidence: Evidence, timeout_s: float) -> Completed:
    what = look(evidence.fixtures, path)
    if what != FILE:
        raise UngradableError(describe(path, what))
    try:
        return evidence.run([str(evidence.fixtures / path)], b"", timeout_s)
    except FileNotFoundError:
        message = f"{path!r} may not be run, or what its first line names is not installed"
        raise UngradableError(message) from None
    except SkillcheckError as error:
        message = f"{path!r}: {error}"
        raise UngradableError(message) from None


def _told(path: str, wrong: str, done: Completed) -> str:
    return f"{path!r} {wrong}; {ending(done)}"


def _reward(line: str) -> tuple[float, str] | None:
    """The reward and the details that a line gives; None if it gives none."""
    try:
        score: Any = float(line)
        details: Any = ""
    except ValueError:
        score, details = _object(line)
    usable = isinstance(score, int | float) and not isinstance(score, bool) and 0 <= score <= 1
    told = details if isinstance(details, str) else json.dumps(details, ensure_ascii=False)
    return (float(score), clipped(told, _SHOWN)) if usable else None


def _object(line: str) -> tuple[Any, Any]:
    try:
        read = located_json.parse(Lines.of(line))
    except ParseError:
        return None, ""
    value = read.value if isinstance(read.value, dict) and not read.duplicates else {}
    return value.get("score"), value.get("details", "")


GRADER = Grader("script", __doc__, grade, "process", OPTIONS)
