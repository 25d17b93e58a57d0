"""A stored trace instead of an agent: what graders say of it, at no cost."""

from __future__ import annotations

from skillcheck.errors import UsageError
from skillcheck.evals.harness import Harness, Launch, Task
from skillcheck.evals.trace.output import detected


def command(task: Task) -> Launch:
    """Print the file that the option `trace` names, an absolute path: a stored trace of ours, or Claude's stream.

    Raises UsageError without it.
    """
    trace = task.options.get("trace", "")
    if not trace:
        message = "harness 'replay' has nothing to replay: say which stored trace"
        raise UsageError(message)
    return Launch(("cat", trace))


HARNESS = Harness("replay", command, detected, asks_model=False)
