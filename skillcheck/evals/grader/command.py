r"""A command succeeds in the workspace, after the agent.

`run` is a line for `sh -c`, or a list: the program and its arguments. It must end with the status `exit`, 0 by
default, and its standard output hold `stdout-contains` and match `stdout-regex`, if given (as in file-contains). What
doesn't finish in `timeout` seconds, 60 by default, has failed. It runs in the sandbox of the agent, whose work it
sees, so it is no place for a secret.

````json
{"type": "command", "run": "python -m pytest -q", "stdout-regex": "^\\d+ passed"}
````
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from skillcheck.diagnostic import clipped
from skillcheck.errors import SkillcheckError
from skillcheck.evals.grader import Evidence, Grade, Grader, UngradableError
from skillcheck.evals.pattern import search
from skillcheck.evals.trace.printed import ending, status
from skillcheck.evals.workspace.workfiles import READ_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from skillcheck.process import Completed

OPTIONS = {
    "type": "object",
    "required": ["run"],
    "additionalProperties": False,
    "properties": {
        "run": {
            "description": "A line for sh, or a program and its arguments",
            "type": ["string", "array"],
            "minLength": 1,
            "minItems": 1,
            "items": {"type": "string", "format": "argument"},
            "format": "argument",
        },
        "exit": {"description": "The status that it ends with", "type": "integer", "default": 0},
        "stdout-contains": {"description": "What it prints", "type": "string", "minLength": 1},
        "stdout-regex": {"description": "What its output matches", "type": "string", "format": "python-regex"},
        "timeout": {"description": "Seconds", "type": "number", "exclusiveMinimum": 0, "maximum": 3600, "default": 60},
    },
}
_SHOWN = 80


def grade(options: Mapping[str, Any], evidence: Evidence) -> Grade:
    """Run the command and look at how it ended and what it printed."""
    line = options["run"]
    argv = ["sh", "-c", line] if isinstance(line, str) else line
    shown = repr(clipped(line if isinstance(line, str) else shlex.join(line), _SHOWN))
    try:
        done = evidence.run(argv, b"", options.get("timeout", 60))
    except FileNotFoundError:
        if "/" not in argv[0]:
            message = f"{argv[0]!r} is not installed"
            raise UngradableError(message) from None
        return Grade(passed=False, reason=f"{argv[0]!r} is not there, or may not be run")
    except SkillcheckError as error:
        return Grade(passed=False, reason=f"{shown}: {error}")
    wrong = tuple(_wrong(options, done))
    return Grade.of(not wrong, f"{shown} {' and '.join(wrong) or status(done)}; {ending(done)}")


def _wrong(options: Mapping[str, Any], done: Completed) -> Iterator[str]:
    wanted = options.get("exit", 0)
    if done.status != wanted:
        yield f"{status(done)}, not with {wanted}"
    text = done.stdout[:READ_LIMIT].decode("utf-8", "replace")
    if options.get("stdout-contains", "") not in text:
        yield f"printed no {clipped(options['stdout-contains'])!r}"
    if "stdout-regex" in options and not search(options["stdout-regex"], [text])[0]:
        yield f"printed nothing that {clipped(options['stdout-regex'])!r} matches"


GRADER = Grader("command", __doc__, grade, "process", OPTIONS)
