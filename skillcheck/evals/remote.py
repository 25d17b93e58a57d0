"""A plan on another machine: what is sent of it, and how it is carried out there, trial by trial.

Nothing but skillcheck itself need be there, and what agents need; no folder is shared. No variable is sent, so that no
key travels: agents get those of the machine that they run on.
"""

from __future__ import annotations

import io
import os
import secrets
import tarfile
import tempfile
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from skillcheck import __version__
from skillcheck.catalog import load
from skillcheck.errors import SkillcheckError, UsageError
from skillcheck.evals import digest, key, planning, sandbox, tree, trial, workspace
from skillcheck.evals.attempts import Course
from skillcheck.evals.redact import redactor
from skillcheck.evals.store import Store
from skillcheck.evals.workspace import NOT_STAGED

if TYPE_CHECKING:
    import threading
    from collections.abc import Iterator, Mapping, Sequence

    from skillcheck.config import Config
    from skillcheck.evals.plan import Plan, Spec
    from skillcheck.evals.settings import Settings

Name = tuple[str, str, str, int]
"""What a trial is called on any machine: its skill, its eval, its arm and its number."""


class Job(NamedTuple):
    """What is sent of a plan: the trials' names in its order, and the files that they need, as a tar.

    The names of the files are relative to the root of `config`; `ident` is another for each job.
    """

    ident: str
    version: str
    config: Config
    settings: Settings
    names: tuple[Name, ...]
    files: bytes


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


def job(plan: Plan) -> Job:
    """What to send of a plan. Raises UsageError for files that lie outside the catalog's root."""
    settings = plan.settings._replace(executor="")
    names = tuple(map(name_of, plan.specs))
    return Job(secrets.token_hex(), __version__, plan.catalog.config, settings, names, _packed(plan))


def name_of(spec: Spec) -> Name:
    """What a trial is called on any machine."""
    return (*spec.names, spec.arm, spec.trial)


def _packed(plan: Plan) -> bytes:
    packed, root = io.BytesIO(), plan.catalog.config.root
    with tarfile.open(fileobj=packed, mode="w:gz", compresslevel=1) as archive:
        for path in dict.fromkeys(_files(plan)):
            name = os.path.relpath(path, root)
            if name.startswith(os.pardir):
                message = f"{path} lies outside the catalog's root {root}, and can't be sent to another machine"
                raise UsageError(message)
            archive.add(path, name, recursive=False)
    return packed.getvalue()


def _files(plan: Plan) -> Iterator[str]:
    """The paths of all that a plan's trials read."""
    for skill in plan.catalog.skills:
        yield from (entry.path for entry in tree.entries(skill.path.parent, NOT_STAGED))
    yield from (str(spec.file.path) for spec in plan.specs)
    for name in sorted({name for spec in plan.specs for name in key.fixtures(spec.case)}):
        top = plan.catalog.fixtures / name
        yield str(top)
        if top.is_dir():
            yield from (entry.path for entry in tree.entries(top))


@dataclass(frozen=True, slots=True)
class Held:
    """A job on the machine that carries it out: `offer` is what it says of it, `specs` its trials by name."""

    plan: Plan
    specs: Mapping[Name, Spec]
    offer: Offer
    folder: tempfile.TemporaryDirectory[str]

    def run(self, name: Name, stop: threading.Event) -> Mapping[str, bytes]:
        """Do a trial; returns the files of its folder in the store, by name.

        Raises SkillcheckError where it can't be kept.
        """
        sandbox.sweep_abandoned()  # a worker that was killed may have left the same trial's agent
        with tempfile.TemporaryDirectory(dir=self.folder.name) as kept:
            names = (*self.plan.harness.keys, *self.plan.settings.env)
            store = Store(Path(kept), redactor(self.plan.environ, names))
            record = trial.run(Course(self.plan, store, Path(kept), stop), self.specs[name])
            found = store.read(Path(kept))[0]
            if not found:
                raise SkillcheckError(record.message)
            return {path.name: path.read_bytes() for path in found[0].folder.iterdir()}

    def close(self) -> None:
        """Remove its files."""
        self.folder.cleanup()


def hold(job: Job, environ: Mapping[str, str]) -> Held:
    """Take a job: unpack its files, and plan its trials as they would be done here.

    Raises SkillcheckError for a job of another version, and where files can't be written.
    """
    if job.version != __version__:
        message = f"it has skillcheck {__version__}, and needs {job.version}"
        raise SkillcheckError(message)
    workspace.remove_abandoned(sandbox.is_abandoned)
    folder = tempfile.TemporaryDirectory(prefix=f"{workspace.PREFIX}{sandbox.new_mark()}-", ignore_cleanup_errors=True)
    try:
        plan, specs = _planned(job, Path(os.path.realpath(folder.name)) / "catalog", environ)
    except BaseException:
        folder.cleanup()
        raise
    keys = tuple(specs[name].key for name in job.names)
    missing = replace(plan, specs=tuple(specs.values())).missing
    return Held(plan, specs, Offer(keys, plan.machine.version, plan.sandbox.kind, missing), folder)


def _planned(job: Job, root: Path, environ: Mapping[str, str]) -> tuple[Plan, Mapping[Name, Spec]]:
    with tarfile.open(fileobj=io.BytesIO(job.files)) as archive:
        archive.extractall(root, filter="tar")
    config = replace(job.config, root=root, source=None)
    plan = planning.prepared(load.load((), config, root), job.settings, environ)
    return plan, _specs(plan, job.names)


def _specs(plan: Plan, wanted: Sequence[Name]) -> Mapping[Name, Spec]:
    of_tree, names = cache(digest.of_tree), {name[:3] for name in wanted}
    return {
        name_of(spec): spec
        for skill, file, case in planning.evals(plan.catalog)
        for arm in plan.settings.arms
        if (skill.name, str(case.id), arm) in names
        for spec in planning.trials(plan, (skill, file, case), arm, of_tree)
    }
