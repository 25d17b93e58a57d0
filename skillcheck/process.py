"""The one place that starts processes."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from skillcheck.errors import SkillcheckError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class Completed(NamedTuple):
    """A finished process; `status` is negative when a signal ended it. Output is bytes, since any byte can come."""

    status: int
    stdout: bytes
    stderr: bytes


def run(argv: Sequence[str], *, cwd: Path, stdin: bytes = b"", timeout_s: float = 60) -> Completed:
    """Run to the end; a non-zero status is a result, not an error.

    Raises FileNotFoundError when the program isn't there or may not be run, and SkillcheckError after `timeout_s`
    seconds, when the process and everything it started in its group is killed.
    """
    pipe = subprocess.PIPE
    try:
        started = subprocess.Popen(argv, cwd=cwd, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
    except PermissionError as error:
        raise FileNotFoundError(*error.args) from error
    with started as child:
        try:
            out, err = child.communicate(stdin, timeout=timeout_s)
        except subprocess.TimeoutExpired:
            _kill(child)
            message = f"{argv[0]} did not finish in {timeout_s:g} seconds"
            raise SkillcheckError(message) from None
        except BaseException:  # an interrupt: the process has a session of its own, so Ctrl-C doesn't reach it
            _kill(child)
            raise
    return Completed(child.returncode, out, err)


def _kill(child: subprocess.Popen[bytes]) -> None:
    """Kill the group; output is not read to its end, since what left the group may hold the pipes open."""
    if os.name == "posix":
        with suppress(ProcessLookupError, PermissionError):  # macOS refuses where only a zombie is left
            os.killpg(child.pid, signal.SIGKILL)
    else:
        child.kill()
    child.wait()
