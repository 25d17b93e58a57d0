"""A Dask cluster of real processes on loopback."""

import json
import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager

from stubs import comes

DASK = (sys.executable, "-m", "dask")


class Cluster:
    """A scheduler and its workers, by name."""

    def __init__(self, folder, env):
        self.folder = folder
        self.env = env
        self.file = folder / "scheduler.json"
        self.workers = {}
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", 0, "--no-dashboard")

    @property
    def address(self):
        """Where the scheduler listens."""
        assert comes(lambda: self.file.exists() and self.file.read_bytes().endswith(b"}"), 30)
        return json.loads(self.file.read_bytes())["address"]

    def _start(self, kind, *words, **env):
        command = (*DASK, kind, *map(str, words), "--scheduler-file", str(self.file))
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                command, cwd=self.folder, env={**os.environ, **self.env, **env}, stdout=log, stderr=log
            )

    def worker(self, name, *more, nanny=False, **env):
        """Start a worker with one thread, and wait until it has joined; a nanny starts it again when it dies."""
        joined = self._joined()
        words = ("--name", name, "--nthreads", 1, "--nanny" if nanny else "--no-nanny", "--no-dashboard")
        self.workers[name] = self._start("worker", *words, "--local-directory", self.folder, *more, **env)
        assert comes(lambda: self._joined() > joined, 60)

    def _joined(self):
        return (self.folder / "log").read_bytes().count(b"Register worker")

    def port(self, name):
        """Where the worker that started last listens."""
        told = (self.folder / "log").read_text("utf-8")
        return re.findall(r"Start worker at: +tcp://127\.0\.0\.1:(\d+)", told)[list(self.workers).index(name)]

    @property
    def pids(self):
        """The ids of its processes."""
        return {str(process.pid) for process in (*self.workers.values(), self.scheduler)}

    def kill(self, name, number=signal.SIGKILL):
        """Send a worker a signal."""
        self.workers[name].send_signal(number)

    def close(self):
        """End all that is left."""
        for process in (*self.workers.values(), self.scheduler):
            process.kill()
            process.wait()


@contextmanager
def cluster(folder, *names, **env):
    """A cluster with some workers."""
    folder.mkdir(parents=True)
    made = Cluster(folder, env)
    try:
        assert made.address
        for name in names:
            made.worker(name)
        yield made
    finally:
        made.close()
