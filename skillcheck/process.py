"""The one place that starts processes."""

from __future__ import annotations

import io
import os
import queue
import selectors
import signal
import subprocess
import tempfile
import threading
import time
from contextlib import suppress
from typing import IO, TYPE_CHECKING, NamedTuple, Self

from skillcheck.errors import SkillcheckError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

TICK_S = 0.05
STOP_S = 0.2
"""How soon a process that is waited for is stopped."""
CHUNK_BYTES = 1 << 16


class Completed(NamedTuple):
    """A finished process; `status` is negative when a signal ended it. Output is bytes, since any byte can come."""

    status: int
    stdout: bytes
    stderr: bytes


class Limits(NamedTuple):
    """What a supervised process may use: seconds in all, seconds without a byte of output, bytes of each stream.

    `grace_s` is the time between SIGTERM and SIGKILL for a process that is stopped.
    """

    wall_s: float = 900
    idle_s: float = 300
    output_bytes: int = 64 << 20
    grace_s: float = 5


class Exit(NamedTuple):
    """How a supervised process ended; `status` is negative when a signal ended it.

    `stopped` tells why it was stopped: "wall", "idle", "interrupted", or what its watch said; empty when it ended by
    itself. With `truncated` it wrote more than `output_bytes`, and the rest is lost.
    """

    status: int
    seconds: float
    stopped: str
    truncated: bool


def run(
    argv: Sequence[str],
    *,
    cwd: Path,
    stdin: bytes = b"",
    timeout_s: float = 60,
    env: Mapping[str, str] | None = None,
    stop: threading.Event | None = None,
) -> Completed:
    """Run to the end; a non-zero status is a result, not an error. Without `env` it has our environment.

    `stop` ends it from another thread.

    Raises FileNotFoundError when the program isn't there or may not be run, and SkillcheckError when it can't be
    started otherwise, is stopped, or after `timeout_s` seconds; the process and all that it started in its group is
    killed then.
    """
    with _started(argv, cwd, env, subprocess.PIPE) as child:
        try:
            out, err = _communicated(child, stdin, timeout_s, stop)
        except subprocess.TimeoutExpired:
            _kill(child)
            ending = "was interrupted" if stop and stop.is_set() else f"did not finish in {timeout_s:g} seconds"
            message = f"{argv[0]} {ending}"
            raise SkillcheckError(message) from None
        except BaseException:  # an interrupt: the process has a session of its own, so Ctrl-C doesn't reach it
            _kill(child)
            raise
    return Completed(child.returncode, out, err)


def _communicated(
    child: subprocess.Popen[bytes], stdin: bytes, timeout_s: float, stop: threading.Event | None
) -> tuple[bytes, bytes]:
    """All output of a process. Raises TimeoutExpired, also when it is stopped."""
    until = time.monotonic() + timeout_s
    given: bytes | None = stdin
    while True:
        left = until - time.monotonic()
        try:
            return child.communicate(given, timeout=min(left, STOP_S) if stop else left)
        except subprocess.TimeoutExpired:
            if not stop or stop.is_set() or time.monotonic() >= until:
                raise
            given = None  # it has been handed over


def supervise(  # noqa: PLR0913 - what a process is started with, and what ends it
    argv: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    stdin: bytes,
    stdout: Path,
    stderr: Path,
    limits: Limits,
    watch: Callable[[Iterable[bytes]], str],
    stop: threading.Event,
) -> Exit:
    """Run a process that can't be trusted to end; its output goes into the files `stdout` and `stderr` as it comes.

    `watch` gets the lines of stdout, each with its newline, in a thread of its own; what it returns stops the process
    at once, unless it is empty, and a watch that raises is none. `stop` stops the process from another thread. A
    process that is stopped gets SIGTERM and, after `limits.grace_s`, SIGKILL. However it ends, what is left of its
    group is killed; what left the group isn't waited for. POSIX only.

    Raises as `run` does, and OSError when the output can't be written.
    """
    with (
        tempfile.TemporaryFile() as given,  # a file, since a pipe that isn't read would block us
        _Watcher(watch) as watcher,
        _Output(stdout, limits.output_bytes, watcher.chunks.put) as out,
        _Output(stderr, limits.output_bytes, lambda _: None) as err,
    ):
        given.write(stdin)
        given.seek(0)
        began = time.monotonic()
        with _started(argv, cwd, env, given) as child, _Pipes(child, out, err) as pipes:
            try:
                stopped = _attend(child, pipes, lambda: _reason(began, pipes.heard, limits, watcher, stop))
                if stopped:
                    _signal(child, signal.SIGTERM)
                    until = time.monotonic() + limits.grace_s
                    _attend(child, pipes, lambda: "late" if time.monotonic() > until else "")
            finally:
                _kill(child)
                pipes.drain()
        seconds = time.monotonic() - began
    return Exit(child.returncode, seconds, stopped or watcher.reason, out.truncated or err.truncated)


def _started(
    argv: Sequence[str], cwd: Path, env: Mapping[str, str] | None, stdin: int | IO[bytes]
) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(argv, cwd=cwd, env=env, stdin=stdin, stdout=pipe, stderr=pipe, start_new_session=True)
    except FileNotFoundError:
        raise
    except PermissionError as error:
        raise FileNotFoundError(*error.args) from error
    except (OSError, ValueError) as error:  # too many arguments, no more processes, a zero byte
        message = f"{argv[0]} could not be started: {getattr(error, 'strerror', None) or error}"
        raise SkillcheckError(message) from error


def _attend(child: subprocess.Popen[bytes], pipes: _Pipes, reason: Callable[[], str]) -> str:
    """Copy output until the process ends, or until there is a reason not to wait for that, which is returned."""
    while child.poll() is None:
        if why := reason():
            return why
        if pipes.are_open:
            pipes.copy()
        else:
            with suppress(subprocess.TimeoutExpired):
                child.wait(TICK_S)
    return ""


def _reason(began: float, heard: float, limits: Limits, watcher: _Watcher, stop: threading.Event) -> str:
    now = time.monotonic()
    if stop.is_set():
        return "interrupted"
    if watcher.reason:
        return watcher.reason
    if now - began > limits.wall_s:
        return "wall"
    return "idle" if now - heard > limits.idle_s else ""


def _kill(child: subprocess.Popen[bytes]) -> None:
    """Kill the group; output is not read to its end, since what left the group may hold the pipes open."""
    _signal(child, signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
    child.wait()


def _signal(child: subprocess.Popen[bytes], number: signal.Signals) -> None:
    if os.name == "posix":
        with suppress(ProcessLookupError, PermissionError):  # macOS refuses where only a zombie is left
            os.killpg(child.pid, number)
    else:
        child.send_signal(number)


class _Output:
    """One output of a process on its way into its file and to `follow`; its first `room` bytes are kept."""

    def __init__(self, path: Path, room: int, follow: Callable[[bytes], None]) -> None:
        self.file = path.open("wb")
        self.room = room
        self.follow = follow
        self.truncated = False

    def take(self, chunk: bytes) -> None:
        kept = chunk[: self.room]
        self.room -= len(kept)
        self.truncated |= len(kept) < len(chunk)
        if kept:
            self.file.write(kept)
            self.file.flush()
            self.follow(kept)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()


class _Pipes:
    """The output pipes of a process; `heard` is when something came last."""

    def __init__(self, child: subprocess.Popen[bytes], out: _Output, err: _Output) -> None:
        self.heard = time.monotonic()
        self.selector = selectors.DefaultSelector()
        for pipe, output in ((child.stdout, out), (child.stderr, err)):
            if pipe:
                self.selector.register(pipe, selectors.EVENT_READ, output)

    @property
    def are_open(self) -> bool:
        return bool(self.selector.get_map())

    def copy(self) -> bool:
        """Copy what comes within a tick, a chunk of each pipe at most; whether anything came."""
        ready = self.selector.select(TICK_S)
        for key, _ in ready:
            if chunk := os.read(key.fd, CHUNK_BYTES):
                key.data.take(chunk)
            else:
                self.selector.unregister(key.fileobj)
        if ready:
            self.heard = time.monotonic()
        return bool(ready)

    def drain(self) -> None:
        """Copy what a dead process has left; a second at most, since what left its group may write for ever."""
        until = time.monotonic() + 1
        while self.are_open and time.monotonic() < until and self.copy():
            pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.selector.close()


class _Watcher:
    """A watch in its thread; `reason` is what it found. Its thread is a daemon: a watch that hangs holds up nobody."""

    def __init__(self, watch: Callable[[Iterable[bytes]], str]) -> None:
        self.reason = ""
        self.watch = watch
        self.chunks: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        chunks = iter(self.chunks.get, b"")
        with suppress(Exception):
            self.reason = self.watch(_lines(chunks))
        for _ in chunks:  # what a watch leaves is not kept in memory
            pass

    def __enter__(self) -> Self:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.chunks.put(b"")
        self.thread.join(5)


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of a stream as a file has them, of any length; a line is joined once, so a long one costs no more."""
    parts = []
    for chunk in chunks:
        for part in io.BytesIO(chunk):
            parts.append(part)
            if part.endswith(b"\n"):
                yield b"".join(parts)
                parts.clear()
    if parts:
        yield b"".join(parts)
