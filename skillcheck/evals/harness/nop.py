"""Nothing: what an eval's checks say of the untouched workspace. A check that passes here tests nothing."""

from __future__ import annotations

from skillcheck.evals.harness import Harness, Launch, Task
from skillcheck.evals.trace.output import text


def command(_: Task) -> Launch:
    """The program that does nothing, successfully."""
    return Launch(("true",))


HARNESS = Harness("nop", command, text, asks_model=False)
