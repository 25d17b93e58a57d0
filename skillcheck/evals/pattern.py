"""Regular expressions that an eval brings along: Python's, in which `^` and `$` also match at lines."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from skillcheck.diagnostic import clipped
from skillcheck.errors import SkillcheckError
from skillcheck.evals.grader import UngradableError
from skillcheck.process import run

if TYPE_CHECKING:
    from collections.abc import Sequence

TIMEOUT_S = 10.0
"""How long an expression may be looked for in all texts of one check."""

_PROGRAM = """
import json, re, sys
pattern, texts = json.load(sys.stdin)
search = re.compile(pattern, re.MULTILINE).search
json.dump([found and found.span() for found in map(search, texts)], sys.stdout)
"""


def fault(pattern: str) -> str:
    """Why a text is no regular expression; empty if it is one."""
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        return f"{clipped(pattern)!r} is no regular expression: {error}"
    return ""


def search(pattern: str, texts: Sequence[str]) -> tuple[tuple[int, int] | None, ...]:
    """Where an expression is found first in each text, in code points; None where it isn't.

    It is looked for in a process of its own, since nothing else stops an expression that takes for ever. Raises
    UngradableError when the time is up.
    """
    if not texts:
        return ()
    argv = (sys.executable, "-I", "-S", "-c", _PROGRAM)
    question = json.dumps([pattern, texts]).encode()
    try:
        done = run(argv, cwd=Path(__file__).parent, stdin=question, timeout_s=TIMEOUT_S)
    except SkillcheckError:
        message = f"looking for {clipped(pattern)!r} takes more than {TIMEOUT_S:g} seconds"
        raise UngradableError(message) from None
    if done.status:
        last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        message = f"{clipped(pattern)!r} can't be looked for: {last}"
        raise UngradableError(message)
    return tuple(found and (found[0], found[1]) for found in json.loads(done.stdout))
