"""A workspace with an agent in it: what it may use, what it did, and what became of the place."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from skillcheck import process
from skillcheck.evals import harness as harnesses
from skillcheck.evals.store.store import RAW, RAW_TEXT, Kept
from skillcheck.evals.trace.classify import classify, watch
from skillcheck.evals.trace.trace import Ended, Trace
from skillcheck.evals.workspace import digest, leaks
from skillcheck.evals.workspace.sandbox import MARK, sweep
from skillcheck.process import Limits, supervise

if TYPE_CHECKING:
    import threading
    from collections.abc import Iterator, Mapping, Sequence

    from skillcheck.evals.harness import Launch, Task
    from skillcheck.evals.plan.crew import Crew
    from skillcheck.evals.workspace.workspace import Snapshot, Workspace
    from skillcheck.process import Completed, Exit


class Work(NamedTuple):
    """What an agent did: how it `ended`, its output, and the workspace compared with its start."""

    ended: Ended
    exited: Exit
    trace: Trace
    kept: Kept
    snapshot: Snapshot
    left: int


def hand_over(task: Task, given: Launch, system_prompt: str = "") -> None:
    """Write what the agent is to read, before it starts."""
    task.prompt_file.write_text(task.prompt, "utf-8", newline="")
    if task.system_prompt_file:
        task.system_prompt_file.write_text(system_prompt, "utf-8", newline="")
    for name, text in given.files.items():
        _place(task.home / name).write_text(text, "utf-8", newline="")
    for name, source in given.copies.items():
        shutil.copyfile(source, _place(task.home / name))


def _place(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


@dataclass(frozen=True, slots=True)
class Room:
    """A workspace with what is run in it: the agent's `launch`, and programs that graders start.

    `shown` are places that graders' programs may read beside what they name; `mark` is on all that is started here.
    `places` are writable folders that stand elsewhere than they are, as in `Sandbox.wrap`, with `cwd` one of them.
    """

    crew: Crew
    space: Workspace
    task: Task
    launch: Launch
    mark: str
    stop: threading.Event
    shown: tuple[Path, ...] = ()
    places: Mapping[str, Path] = field(default_factory=lambda: MappingProxyType({}))
    cwd: Path | None = None

    @property
    def env(self) -> dict[str, str]:
        """The agent's environment."""
        env = harnesses.environment(self.crew.harness, self.task, self.launch, self.crew.settings.env)
        return {**env, MARK: self.mark}

    def wrapped(self, argv: Sequence[str], *more: Path) -> tuple[str, ...]:
        """A command line in the sandbox; `more` are places that it needs beside those that it names."""
        writable = (self.space.work, self.space.home, *self.places.values())
        work, needed = self.cwd or self.space.work, (*more, *self._needed(argv))
        return self.crew.sandbox.wrap(argv, work=work, writable=writable, needed=needed, places=self.places)

    def _needed(self, argv: Sequence[str]) -> tuple[Path, ...]:
        """The places that a command line needs. Raises FileNotFoundError where its program isn't there."""
        programs = () if self.crew.sandbox.is_apart else (self._program(argv[0]),)
        return (*programs, *_places((*argv, *self.env.values())), Path(sys.prefix), self.space.handed)

    def _program(self, name: str) -> Path:
        found = shutil.which(self.space.work / name if os.sep in name else name, path=self.env.get("PATH"))
        if found is None:
            raise FileNotFoundError(name)
        return Path(found)

    def leaks(self, skill: str) -> list[str]:
        """What the agent can find of skills and instructions that was not handed over, one line each; see `leaks`.

        Raises FileNotFoundError where its program isn't there.
        """
        space, needed = self.space, self._needed(self.launch.argv)
        around = dict.fromkeys((*space.work.parents, *(self.cwd.parents if self.cwd else ())))
        above = [path for path in around if str(path) not in self.places and not self.crew.sandbox.hides(path, needed)]
        return leaks.find(space.work, space.home, above, staged=space.skill_dirs, skill=skill)

    def run(self, argv: Sequence[str], stdin: bytes, timeout_s: float) -> Completed:
        """Run a grader's program; it gets none of the agent's credentials."""
        harness = self.crew.harness
        secret = {*harness.keys, *harness.passes, *self.crew.settings.env}
        env = {name: value for name, value in self.env.items() if name not in secret}
        wrapped = self.wrapped(argv, *self.shown)
        return process.run(wrapped, cwd=self.space.work, stdin=stdin, timeout_s=timeout_s, env=env, stop=self.stop)

    def work(self, *, limits: Limits, offered: str = "") -> Work:
        """Let the agent work, then look at what it did; `offered` is the skill that it should be told of.

        Raises FileNotFoundError where its program isn't there.
        """
        harness, out, err = self.crew.harness, self.space.root / "stdout", self.space.root / "stderr"
        exited = supervise(
            self.wrapped(self.launch.argv),
            cwd=self.space.work,
            env=self.env,
            stdin=self.launch.stdin,
            stdout=out,
            stderr=err,
            limits=limits,
            watch=lambda lines: watch(harness.parse(lines)),
            stop=self.stop,
        )
        left = sweep(self.mark)
        with out.open("rb") as lines:
            trace = Trace.of(harness.parse(lines))
        errors = err.read_bytes()
        ended = classify(exited, trace, errors, skill=offered, asks_model=harness.asks_model)
        ended = _edited(self.space) if self.space.edited() else ended
        snapshot = self.space.snapshot()
        return Work(ended, exited, trace, _kept(out, errors, trace, snapshot), snapshot, left)

    def notes(self, work: Work) -> Iterator[str]:
        """What people should know of a trial beside its result."""
        yield from (*self.space.notes, *work.snapshot.notes)
        if self.crew.settings.keep:
            yield f"the workspace is kept in {self.space.root}"
        if work.left:
            yield f"the agent left {work.left} process{'' if work.left == 1 else 'es'} running; they were killed"
        if work.exited.truncated:
            yield "the agent wrote more than is kept of its output; the rest is lost"


def _places(words: Sequence[str]) -> Iterator[Path]:
    """The absolute paths that words name, alone or in a list as PATH is one."""
    for word in words:
        for part in word.split(os.pathsep):
            if os.path.isabs(part) and os.path.lexists(part):  # noqa: PTH117 - a word need not be a path
                yield Path(part)
                yield Path(os.path.realpath(part))


def _edited(space: Workspace) -> Ended:
    was = zip(space.skill_dirs, space.skill_digests, strict=True)
    place = next(place for place, before in was if digest.of_tree(place) != before)
    verb = "changed" if place.exists() else "removed"
    return Ended("skill-edited", f"the agent {verb} {place.relative_to(space.work).as_posix()}")


def _kept(out: Path, errors: bytes, trace: Trace, snapshot: Snapshot) -> Kept:
    raw = out.read_bytes()
    name = RAW if raw.lstrip()[:1] == b"{" else RAW_TEXT
    return Kept(trace, raw, name, errors, snapshot.patch, snapshot.changed, snapshot.status, snapshot.log)
