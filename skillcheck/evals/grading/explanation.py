"""How well an agent's last message explains what was done: by words that such messages have, then by the judge."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from skillcheck.evals.store.record import Judged
    from skillcheck.evals.trace.trace import Trace

Grade = Literal["clear", "vague", "missing"]

MARKERS = {
    "steps": re.compile(
        r"^\s*(?:[-*]|\d+[.)])\s|\b(?:add|chang|check|creat|delet|fix|mov|remov|renam|replac|updat)ed\b"
        r"|\b(?:did|done|made|ran|read|rewrote|wrote|written)\b",
        re.IGNORECASE | re.MULTILINE,
    ),
    "problems": re.compile(
        r"\b(?:problems?|errors?|fail(?:ed|ure|ures|s)?|issues?|warnings?|unable|unclear|skipped|missing|open|left)\b"
        r"|\b(?:could|did|does|do|was|were)(?: not|n['’]t)\b|\bnot? (?:been|done|found|possible|tested|yet)\b",  # noqa: RUF001 - agents write both
        re.IGNORECASE,
    ),
    "paths": re.compile(r"[\w.-]+/[\w./-]*\w|\b\w[\w-]+\.[A-Za-z]\w{0,7}\b"),
}
"""What a message has that names the steps done, problems, and where results are. English words only."""


class Explanation(NamedTuple):
    """A grade, and what it rests on."""

    grade: Grade
    reason: str


def explanation(trace: Trace, judged: Sequence[Judged]) -> Explanation:
    """Grade a trace's last message: without any marker it is missing, else as the judge says.

    Where the judge was not asked, it is clear with all markers. `judged` are a trial's verdicts, of whatever role.
    """
    message = trace.said[-1] if trace.said else ""
    found = [name for name, marker in MARKERS.items() if marker.search(message)]
    told = f"the last message names {', '.join(found) or 'no steps, problems or paths'}"
    verdicts = [each.passed for each in judged if each.role == "explanation"]
    if not found or not verdicts:
        return Explanation(_by_markers(len(found)), told)
    grade: Grade = "clear" if all(verdicts) else "vague" if any(verdicts) else "missing"
    return Explanation(grade, f"{told}; the judge finds it {grade}")


def _by_markers(count: int) -> Grade:
    if count == len(MARKERS):
        return "clear"
    return "vague" if count else "missing"
