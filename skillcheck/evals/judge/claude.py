"""Claude Code as a judge, for people who are logged in there and have no key of the API."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from skillcheck.evals.judge import Answer, Judge, Question, ask_program, usage_of
from skillcheck.evals.trace.printed import complaint

if TYPE_CHECKING:
    from collections.abc import Mapping

    from skillcheck.process import Completed

PROGRAM = "claude"
ISOLATION = (
    "--tools", "", "--strict-mcp-config", "--setting-sources", "", "--no-session-persistence",
)  # fmt: skip
QUIET = {
    "CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1",
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
    "CLAUDE_CODE_DISABLE_BUNDLED_SKILLS": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    "CLAUDE_CODE_MAX_RETRIES": "2",
}
"""Keeps out the instructions and the memory in the user's HOME, where the login is, and everything but the question."""
REFUSED = (401, 403)


def ask(question: Question) -> Answer:
    """Run `claude -p` without tools, servers, settings or instructions of anybody's."""
    model = ("--model", question.model) if question.model else ()
    form = ("--output-format", "json", "--json-schema", json.dumps(question.schema))
    argv = (PROGRAM, "-p", *form, *ISOLATION, *model)
    return ask_program(argv, question, {**question.environ, **QUIET}, _read)


def _read(done: Completed) -> Answer:
    text = done.stdout.decode("utf-8", "replace")
    try:
        result = json.loads(text)
    except (ValueError, RecursionError):
        result = None
    if not isinstance(result, dict):
        return Answer(text, problem=f"{PROGRAM} ended with status {done.status} and no result{complaint(done)}")
    said = result.get("structured_output")
    text = str(result.get("result") or "") if said is None else json.dumps(said, ensure_ascii=False)
    problem = _problem(result)
    retry = result.get("api_error_status") not in REFUSED
    return Answer(text, _model(result), usage_of(result.get("usage")), _cost(result), problem, retry)


def _problem(result: Mapping[str, Any]) -> str:
    """Why the result is no answer: `is_error` counts, since failures of the API come with the subtype `success`."""
    if not result.get("is_error"):
        return ""
    reason = result.get("result") or result.get("subtype") or "an error without a reason"
    return f"{PROGRAM} failed: {reason}"


def _model(result: Mapping[str, Any]) -> str:
    used = result.get("modelUsage")
    return ", ".join(used) if isinstance(used, dict) else ""


def _cost(result: Mapping[str, Any]) -> float | None:
    cost = result.get("total_cost_usd")
    return float(cost) if isinstance(cost, int | float) and math.isfinite(cost) else None


JUDGE = Judge("claude", ask, program=PROGRAM)
