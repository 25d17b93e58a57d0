"""A plan that another machine carries out: what is sent of it, and how its trials are done there.

Nothing but skillcheck itself need be there, and what agents need; no folder is shared. No variable is sent, so that no
key travels: agents get those of the machine that they run on.
"""

from __future__ import annotations

import io
import os
import secrets
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from skillcheck import __version__
from skillcheck.errors import SkillcheckError, UsageError
from skillcheck.evals.running.attempts import Course
from skillcheck.evals.store.redact import redactor
from skillcheck.evals.store.store import Store
from skillcheck.evals.workspace import sandbox, workspace

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterable, Mapping

    from skillcheck.evals.running.runner import Planned
    from skillcheck.evals.store.record import Record

Name = tuple[str, str, str, int]
"""What a trial is called on any machine: its skill, its eval, its arm and its number."""


def name_of(spec: Planned) -> Name:
    """What a trial is called on any machine."""
    return (*spec.names, spec.arm, spec.trial)


class There(NamedTuple):
    """A plan as another machine makes it of what was sent, with its trials by name, and what they lack there."""

    plan: Any
    specs: Mapping[Name, Planned]
    lacks: tuple[str, ...]


class Job(NamedTuple):
    """What is sent of a plan: the names of its trials, in its order, and the files that they read, as a tar.

    `subject` is what else `planned` needs to plan them there, in the folder of the unpacked files and with the
    variables of that machine; `run` does one. `ident` is another for each job.
    """

    subject: Any
    names: tuple[Name, ...]
    files: bytes
    planned: Callable[[Job, Path, Mapping[str, str]], There]
    run: Callable[[Course[Any], Any], Record]
    version: str
    ident: str


def made(plan: Any, subject: Any, files: Iterable[tuple[str, Path]], planned: Any, run: Any) -> Job:
    """The job of a plan; see there for the rest, `files` being their names and paths. Of a folder, all is sent.

    Raises UsageError for a file that can't be read.
    """
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", compresslevel=1) as archive:
        for name, path in dict(files).items():
            _add(archive, path, name)
    names = tuple(map(name_of, plan.specs))
    return Job(subject, names, packed.getvalue(), planned, run, __version__, secrets.token_hex())


def _add(archive: tarfile.TarFile, path: Path, name: str) -> None:
    try:
        archive.add(path, name)
    except OSError as error:
        message = f"{error.filename or path} can't be sent to another machine: {error.strerror or error}"
        raise UsageError(message) from error


class Offer(NamedTuple):
    """What a machine makes of a job: the trials' keys, the version of its agent, its sandbox, and what it lacks."""

    keys: tuple[str, ...]
    version: str
    sandbox: Literal["bwrap", "none"]
    lacks: tuple[str, ...]

    def differs(self, other: Offer) -> str:
        """Why its results would not be those of another, empty where they would."""
        if self.keys == other.keys:
            return ""
        if self.version != other.version:
            return f"its agent is {self.version or 'of no version'!r}, not {other.version!r}"
        if self.sandbox != other.sandbox:
            return f"its sandbox is {self.sandbox!r}, not {other.sandbox!r}"
        return "its programs, or the variables that agents get, are others"


@dataclass(frozen=True, slots=True)
class Held:
    """A job on the machine that carries it out; `offer` is what that says of it."""

    job: Job
    there: There
    offer: Offer
    folder: tempfile.TemporaryDirectory[str]

    def run(self, name: Name, stop: threading.Event) -> tuple[Record, Mapping[str, bytes]]:
        """Do a trial; returns the files of its folder in the store, by name, after its record.

        Raises SkillcheckError where it can't be kept.
        """
        sandbox.sweep_abandoned()  # a worker that was killed may have left the same trial's agent
        plan = self.there.plan
        with tempfile.TemporaryDirectory(dir=self.folder.name) as kept:
            store = Store(Path(kept), redactor(plan.environ, (*plan.harness.keys, *plan.settings.env)))
            record = self.job.run(Course(plan, store, Path(kept), stop), self.there.specs[name])
            found = store.read(Path(kept))[0]
            if not found:
                raise SkillcheckError(record.message)
            return record, {path.name: path.read_bytes() for path in found[0].folder.iterdir()}

    def close(self) -> None:
        """Remove its files."""
        self.folder.cleanup()


def hold(job: Job, environ: Mapping[str, str]) -> Held:
    """Take a job: unpack its files, and plan its trials as they would be done here.

    Raises SkillcheckError for a job of another version, and OSError where files can't be written.
    """
    if job.version != __version__:
        message = f"it has skillcheck {__version__}, and needs {job.version}"
        raise SkillcheckError(message)
    workspace.remove_abandoned(sandbox.is_abandoned)
    folder = tempfile.TemporaryDirectory(prefix=f"{workspace.PREFIX}{sandbox.new_mark()}-", ignore_cleanup_errors=True)
    try:
        root = Path(os.path.realpath(folder.name)) / "files"
        with tarfile.open(fileobj=io.BytesIO(job.files)) as archive:
            archive.extractall(root, filter="tar")
        there = job.planned(job, root, environ)
    except BaseException:
        folder.cleanup()
        raise
    keys = tuple(there.specs[name].key for name in job.names if name in there.specs)
    return Held(job, there, Offer(keys, there.plan.machine.version, there.plan.sandbox.kind, there.lacks), folder)
