"""The agent was offered the skill and did the task without reading it.

With native delivery the skill lies where the agent looks for skills, and the agent decides. A trial that bypasses it
tells how strong the agent is, not what the skill does: mend the description, or judge the skill alone with
`--delivery system-prompt`, which hands its text over. Where an agent's output is plain text, nobody can tell.

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
echo "2026-08-19 Ask about the key" > inbox/sorted.md
echo '{"type": "assistant", "message": {"id": "1", "content": [{"type": "text", "text": "Sorted."}]}}'
echo '{"type": "result", "subtype": "success", "is_error": false, "result": "Sorted."}'
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

````sh evals/fixtures/inbox/agent.sh
printf '%s' '{"type": "assistant", "message": {"id": "1", "content": [{"type": "tool_use", "id": "t", '
echo '"name": "Skill", "input": {"skill": "tidy-notes"}}]}}'
echo '{"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": "t", "content": "Launching"}]}}'
echo "2026-08-19 Ask about the key" > inbox/sorted.md
echo '{"type": "result", "subtype": "success", "is_error": false, "result": "Sorted."}'
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem, Severity
from skillcheck.rules import Context, TrialRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.evals.running.results import Results

_HINT = "`--delivery system-prompt` judges the skill whether or not it is found"
_IN_EXPERIMENT = "what the arms differ in went unused: mend the description"


def check(results: Results, _context: Context) -> Iterator[tuple[str, Problem]]:
    """One problem an eval, where the agent had the choice."""
    if results.plan.settings.delivery != "native" or not results.plan.harness.asks_model:
        return
    hint = _IN_EXPERIMENT if results.plan.is_experiment else _HINT
    for each in results.evals():
        bypassed = [record for record in each.graded if record.loaded is False]
        if bypassed:
            often = f" in {len(bypassed)} of {len(each.graded)} trials" if len(each.graded) > 1 else ""
            message = f"eval {each.case.id}: the agent never loaded {bypassed[0].skill!r}{often}"
            yield each.file.shown, Problem(each.file.span(*each.case.at, "id"), message, hint)


RULE = TrialRule(__name__, Severity.WARNING, __doc__, check)
