"""The agents below tests/agent: how they are started, and what is left of them."""

import sys
import time
from pathlib import Path

AGENTS = Path(__file__).parent / "agent"


def agent(file, *words):
    """The command line of a stub."""
    interpreter = (sys.executable, "-I", "-S") if file.endswith(".py") else ("/bin/sh",)  # stubs need no packages
    return (*interpreter, str(AGENTS / file), *words)


def living(mark):
    """How many processes have this mark in their environment; Linux only."""
    wanted, count = f"SKILLCHECK_RUN={mark}".encode(), 0
    for environment in Path("/proc").glob("[0-9]*/environ"):
        try:
            count += wanted in environment.read_bytes().split(b"\0")
        except OSError:
            continue
    return count


def comes(condition, seconds=5):
    """Whether a condition comes to hold."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True
