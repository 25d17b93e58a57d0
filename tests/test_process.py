import os
import signal
import sys
import time
from pathlib import Path

import pytest

from skillcheck import process
from skillcheck.errors import SkillcheckError

posix = pytest.mark.skipif(os.name != "posix", reason="process groups are POSIX")
SLEEPER = """
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session={apart})
open("pids", "w").write(f"{{os.getpid()}} {{child.pid}}")
os.replace("pids", "ready")
time.sleep(60)
"""


def python(code, tmp_path, **options):
    return process.run((sys.executable, "-c", code), cwd=tmp_path, **options)


def alive(pid):
    """Whether a process runs; a zombie that nobody has reaped yet doesn't."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    except ProcessLookupError:
        return False
    except FileNotFoundError:
        return Path("/proc/self").exists() is False


def gone(pid):
    until = time.monotonic() + 5
    while alive(pid) and time.monotonic() < until:
        time.sleep(0.01)
    return not alive(pid)


@pytest.mark.parametrize(
    ("code", "completed"),
    [
        ("print('x')", (0, b"x\n", b"")),
        ("import sys; sys.stderr.write('y'); sys.exit(7)", (7, b"", b"y")),
        ("import sys; sys.stdout.buffer.write(b'\\xff\\0')", (0, b"\xff\0", b"")),
    ],
    ids=["output", "status is a result", "any bytes"],
)
def test_a_process_runs_to_its_end(code, completed, tmp_path):
    done = python(code, tmp_path)
    assert (done.status, done.stdout, done.stderr) == completed


def test_a_process_reads_what_it_is_given_and_runs_where_it_is_told(tmp_path):
    done = python("import os, sys; print(len(sys.stdin.buffer.read()), os.getcwd())", tmp_path, stdin=b"\xff" * 200_000)
    assert done.stdout.decode().split() == ["200000", os.path.realpath(tmp_path)]


def test_nothing_is_read_from_our_own_input(tmp_path):
    assert python("import sys; print(repr(sys.stdin.read()))", tmp_path).stdout == b"''\n"


@posix
def test_a_signal_is_a_negative_status(tmp_path):
    assert python("import os; os.kill(os.getpid(), 15)", tmp_path).status == -15


def test_a_program_that_is_not_there_is_told(tmp_path):
    with pytest.raises(FileNotFoundError):
        process.run(("no-such-program-anywhere",), cwd=tmp_path)


@posix
def test_a_program_that_may_not_be_run_is_not_there(tmp_path):
    (tmp_path / "program").write_text("#!/bin/sh\n", "utf-8")
    with pytest.raises(FileNotFoundError):
        process.run((str(tmp_path / "program"),), cwd=tmp_path)


@posix
@pytest.mark.parametrize("apart", [False, True], ids=["in its group", "in a session of its own"])
def test_a_process_that_takes_too_long_is_killed_with_its_group(apart, tmp_path):
    began = time.monotonic()
    with pytest.raises(SkillcheckError, match=r"did not finish in 1 seconds$"):
        python(SLEEPER.format(apart=apart), tmp_path, timeout_s=1)
    assert time.monotonic() - began < 5
    parent, child = map(int, (tmp_path / "ready").read_text("ascii").split())
    assert gone(parent)
    if apart:
        os.kill(child, signal.SIGKILL)
    assert gone(child)


@posix
def test_an_interrupt_leaves_nothing_running(tmp_path):
    def interrupt(*_):
        if (tmp_path / "ready").exists():
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
    try:
        with pytest.raises(KeyboardInterrupt):
            python(SLEEPER.format(apart=False), tmp_path)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert all(gone(int(pid)) for pid in (tmp_path / "ready").read_text("ascii").split())
