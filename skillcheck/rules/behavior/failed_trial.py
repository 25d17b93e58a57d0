"""A trial could not be run or graded, so that it says nothing about the skill.

The agent was missing or not allowed to work, the model's server refused or failed, the time was up, the grader gave no
usable answer. Such a trial never counts in a pass rate, and the run's exit status is 3. The message begins with the
class; what the agent printed is stored beside the outcome.

## Bad
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "evals": [
    {
      "id": 1, "files": ["inbox"],
      "prompt": "Sort these notes for me.",
      "expected_output": "The notes, oldest first.",
      "checks": [{"type": "file-exists", "path": "inbox/sorted.md"}]
    }
  ]
}
````

````sh evals/fixtures/inbox/agent.sh
echo "429 too many requests" >&2
exit 1
````

## Good
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "evals": [
    {
      "id": 1, "files": ["inbox"],
      "prompt": "Sort these notes for me.",
      "expected_output": "The notes, oldest first.",
      "checks": [{"type": "file-exists", "path": "inbox/sorted.md"}]
    }
  ]
}
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem, Severity
from skillcheck.evals.trace.outcome import CLASSES
from skillcheck.rules import Context, TrialRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.evals.running.results import Results

_HINTS = {"ungraded": "the agent's work is kept: `skillcheck grade` judges it again, and runs no agent"}


def check(results: Results, _context: Context) -> Iterator[tuple[str, Problem]]:
    """One problem a trial, at the eval's id."""
    arms = results.plan.settings.arms
    for arm, each in ((name, each) for name in arms for each in results.evals(name)):
        for record in each.unfinished:
            which = f"eval {each.case.id}" + (f", trial {record.trial}" if len(each.records) > 1 else "")
            which += f", arm {arm}" if len(arms) > 1 else ""
            tried = f" (after {record.attempts} attempts)" if record.attempts > 1 else ""
            problem = Problem(
                each.file.span(*each.case.at, "id"),
                f"{which}: {record.how}: {record.message}{tried}",
                _HINTS.get(record.how, CLASSES[record.how].meaning),
            )
            yield each.file.shown, problem


RULE = TrialRule(__name__, Severity.ERROR, __doc__, check)
