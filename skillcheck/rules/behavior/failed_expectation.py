"""An agent with the skill did not do what the eval expects.

The help quotes the grader's evidence. Read the trace that is stored beside the grade before you change anything: the
skill may be unclear, the expectation may ask for what the task doesn't, or the grader may be wrong. A trial that ended
in an error has no grade and doesn't count here.

## Bad
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "evals": [
    {
      "id": 1, "files": ["inbox"],
      "prompt": "Sort these notes for me.",
      "expected_output": "The notes, oldest first.",
      "expectations": ["Says that the notes are 'sorted into weeks'"]
    }
  ]
}
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
      "expectations": ["Says that the notes are 'sorted'"]
    }
  ]
}
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem, Severity, clipped
from skillcheck.rules import Context, TrialRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.evals.running.results import Results

SHOWN = 100


def check(results: Results, _context: Context) -> Iterator[tuple[str, Problem]]:
    """One problem an expectation, however many trials it failed in."""
    for each in results.evals():
        for index, (text, role, at) in enumerate(each.case.judged):
            verdicts = [r.grading.expectations[index] for r in each.graded if index < len(r.grading.expectations)]
            failed = [verdict for verdict in verdicts if not verdict.passed]
            if failed and role != "explanation":
                often = f" in {len(failed)} of {len(verdicts)} trials" if len(verdicts) > 1 else ""
                message = f"eval {each.case.id}: {role or 'expectation'} failed{often}: {clipped(text, SHOWN)}"
                span = each.file.span(*each.case.at, *at)
                yield each.file.shown, Problem(span, message, failed[0].evidence)


RULE = TrialRule(__name__, Severity.ERROR, __doc__, check)
