"""A deterministic check of an eval fails on what the agent left behind.

Entries of `checks` look at the workspace and at the trace without a model, so the same run always gives the same
verdict. The help says what was found instead. A check that fails for the eval's own `solution` is wrong itself:
`skillcheck behavioral --harness oracle` shows that without a key.

## Bad
````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "evals": [
    {
      "id": 1, "files": ["inbox"],
      "prompt": "Sort these notes for me.",
      "expected_output": "The notes, oldest first.",
      "checks": [{"type": "file-exists", "path": "inbox/weeks.md"}]
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
      "checks": [{"type": "file-exists", "path": "inbox/sorted.md"}]
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
    """One problem a check, however many trials it failed in."""
    for each in results.evals():
        for index in range(len(each.case.checks)):
            verdicts = [r.grading.checks[index] for r in each.graded if index < len(r.grading.checks)]
            failed = [verdict for verdict in verdicts if not verdict.passed]
            if failed:
                often = f" in {len(failed)} of {len(verdicts)} trials" if len(verdicts) > 1 else ""
                message = f"eval {each.case.id}: check failed{often}: {clipped(failed[0].text, SHOWN)}"
                span = each.file.span(*each.case.at, "checks", index)
                yield each.file.shown, Problem(span, message, failed[0].evidence)


RULE = TrialRule(__name__, Severity.ERROR, __doc__, check)
