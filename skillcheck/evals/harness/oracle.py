"""The eval's own solution, a program that does what the task asks: what the checks say when all is done."""

from __future__ import annotations

from skillcheck.errors import UsageError
from skillcheck.evals.harness import Harness, Launch, Task
from skillcheck.evals.trace.output import text

_RUN = 'if [ -x "$0" ]; then exec "$0"; else exec sh "$0"; fi'


def command(task: Task) -> Launch:
    """Run the option `solution`, an absolute path: directly where it is executable, else with sh.

    Raises UsageError for an eval without one.
    """
    solution = task.options.get("solution", "")
    if not solution:
        message = "harness 'oracle' has nothing to run: the eval names no `solution`"
        raise UsageError(message)
    return Launch(("sh", "-c", _RUN, solution))


HARNESS = Harness("oracle", command, text, asks_model=False)
