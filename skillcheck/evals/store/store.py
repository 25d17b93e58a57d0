"""Where trials are kept: `evals/results/<run>/<skill>/<eval>/<trial>/`, and `run.json` in each run.

A trial's folder appears at one stroke, when all of it is written; what a killed run left is a hidden folder that
nothing reads. `outcome.json` is what counts, the rest is there to look at and to grade again.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import secrets
import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from skillcheck.errors import SkillcheckError
from skillcheck.evals.store.record import Judged, Record
from skillcheck.evals.store.typed import built
from skillcheck.evals.store.upgrade import SCHEMA_VERSION, upgraded
from skillcheck.evals.trace import event_lines
from skillcheck.evals.trace.trace import Trace
from skillcheck.evals.workspace.arm import TREATED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from datetime import datetime

RUN, DIGESTS = "run.json", "digests.json"
OUTCOME, GRADING, TIMING = "outcome.json", "grading.json", "timing.json"
TRACE, PATCH, CHANGED, STDERR = "trace.jsonl", "diff.patch", "changed.json", "stderr.txt"
RAW, RAW_TEXT = "raw.jsonl", "raw.txt"
REUSABLE = frozenset({"passed", "failed"})
"""The statuses of trials that needn't be run again."""

_PLAIN = re.compile(r"[a-z0-9][a-z0-9._-]{0,59}\Z")


class Kept(NamedTuple):
    """What is kept beside a record, to look at and to grade again.

    `raw` is the agent's output as it came; `raw_name` is RAW or RAW_TEXT. The rest is the snapshot's:
    `changed` are paths by git's letter, `status` and `log` git's texts.
    """

    trace: Trace
    raw: bytes = b""
    raw_name: str = RAW
    stderr: bytes = b""
    patch: bytes = b""
    changed: Mapping[str, str] = {}
    status: str = ""
    log: str = ""

    @property
    def is_text(self) -> bool:
        """Whether the output is plain text, which tells nothing of tools and skills."""
        return self.raw_name == RAW_TEXT


NOTHING = Kept(Trace(()))
"""Of a trial whose agent never began."""


class Stored(NamedTuple):
    """A trial and its folder."""

    folder: Path
    record: Record


@dataclass(frozen=True)
class Store:
    """The folder of all runs. `redact` takes secrets out of everything that is written."""

    root: Path
    redact: Callable[[bytes], bytes]

    def begin(self, now: datetime, about: Mapping[str, Any]) -> Path:
        """Make the folder of a run, whose name sorts by time, and write its run.json; two runs never get the same.

        Raises SkillcheckError where nothing can be written.
        """
        run = self.root / f"{now:%Y%m%dT%H%M%S%fZ}-{secrets.token_hex(3)}"
        with _told(run):
            run.mkdir(parents=True)
            self._write(run / RUN, _json({"schema_version": SCHEMA_VERSION, **about}), sync=True)
        return run

    def clean(self, record: Record) -> Record:
        """The record as it is kept: without secrets."""
        cleaned: Record = built(Record, json.loads(self.redact(_json(_plain(record)))))
        return cleaned

    def keep(self, run: Path, record: Record, kept: Kept) -> Path:
        """Store a trial; returns its folder. Raises SkillcheckError where that can't be, or one is stored there."""
        with _added(run, record) as new:
            for name, data in _files(kept).items():
                self._write(new / name, data)
            self._write_record(new, record)
        return place(run, record)

    def take(self, run: Path, files: Mapping[str, bytes]) -> Record:
        """Store a trial that was kept elsewhere, by the files of its folder; returns its record.

        Raises as `keep`, and where its outcome can't be read.
        """
        with _told(run), tempfile.TemporaryDirectory(prefix=".", dir=run) as folder:
            for name, data in files.items():
                self._write(Path(folder, Path(name).name), data, sync=name == OUTCOME)
            record = record_in(Path(folder, OUTCOME))
            with _added(run, record) as new:
                for path in Path(folder).iterdir():
                    path.rename(new / path.name)
        return record

    def copy(self, folder: Path, run: Path, record: Record, *, as_it_is: bool = False) -> Path:
        """Store what is kept in a trial's folder in another run too, with a record of its own; as `keep`.

        `as_it_is`: not a byte is written anew, so that the record must be the one that lies there.
        """
        with _added(run, record) as new:
            shutil.copytree(folder, new, copy_function=shutil.copyfile, dirs_exist_ok=True)
            if not as_it_is:
                self._write_record(new, record)
        return place(run, record)

    def regrade(self, folder: Path, record: Record) -> None:
        """Put a new record in the place of a stored trial's. Raises SkillcheckError where that can't be."""
        with _told(folder):
            self._write_record(folder, record)

    def _write_record(self, folder: Path, record: Record) -> None:
        """Each file at one stroke, the outcome last."""
        self._write(folder / TIMING, _json(timing(record)))
        self._write(folder / GRADING, _json(grading(record)))
        self._write(folder / OUTCOME, _json({"schema_version": SCHEMA_VERSION, **_plain(record)}), sync=True)

    def _write(self, path: Path, data: bytes, *, sync: bool = False) -> None:
        new = path.with_name(f".{path.name}.{os.getpid()}")
        with new.open("wb") as file:
            file.write(self.redact(data))
            if sync:
                file.flush()
                os.fsync(file.fileno())
        new.replace(path)

    def find(self, key: str) -> Stored | None:
        """The newest stored trial of a key that needn't be run again; stored before the first call."""
        return self._by_key.get(key)

    @cached_property
    def _by_key(self) -> Mapping[str, Stored]:
        found: dict[str, Stored] = {}
        for run in self.runs():
            for stored in self.read(run)[0]:
                if stored.record.status in REUSABLE:
                    found.setdefault(stored.record.key, stored)
        return found

    def runs(self) -> tuple[Path, ...]:
        """The folders of all runs, newest first."""
        found = {path.parent for name in (RUN, DIGESTS) for path in self.root.glob(f"[!.]*/{name}")}
        return tuple(sorted(found, reverse=True))

    def read(self, run: Path) -> tuple[tuple[Stored, ...], tuple[str, ...]]:
        """The trials of a run by skill, eval and trial, and a message for each file that can't be read."""
        found, faults = [], []
        for path in outcomes(run):
            try:
                found.append(Stored(path.parent, record_in(path)))
            except SkillcheckError as error:
                faults.append(str(error))
        found.sort(key=lambda stored: (stored.record.skill, _natural(stored.record.eval), *_trial(stored.record)))
        return tuple(found), tuple(sorted(faults))


def outcomes(run: Path) -> Iterator[Path]:
    """The files that say what became of a run's trials."""
    return run.glob(f"[!.]*/[!.]*/[!.]*/{OUTCOME}")


def record_in(outcome: Path) -> Record:
    """What such a file says. Raises SkillcheckError where it can't be read."""
    record: Record = loaded(outcome, Record)
    return record


def loaded(path: Path, kind: Any = dict[str, Any]) -> Any:
    """The object in a JSON file of the store, as a type that `built` knows.

    Raises SkillcheckError where it can't be read, or a value has another type.
    """
    try:
        return built(kind, _load(path))
    except (OSError, ValueError, KeyError, TypeError) as error:
        message = f"{path} can't be read: {_reason(error)}"
        raise SkillcheckError(message) from error


def place(run: Path, record: Record) -> Path:
    """The folder of a trial in a run."""
    return (
        run
        / folder_name(record.skill)
        / folder_name(record.eval)
        / "-".join(str(part) for part in _trial(record) if part)
    )


@contextmanager
def _added(run: Path, record: Record) -> Iterator[Path]:
    """A folder to fill, which then becomes that of a trial."""
    target = place(run, record)
    with _told(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        new = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
        try:
            new.chmod(0o755)
            yield new
            new.rename(target)
        finally:
            shutil.rmtree(new, ignore_errors=True)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        taken = error.errno in {errno.ENOTEMPTY, errno.EEXIST}
        reason = "a trial is stored there already" if taken else error.strerror or str(error)
        message = f"results can't be written to {path}: {reason}"
        raise SkillcheckError(message) from error


def about(run: Path) -> Mapping[str, Any]:
    """What run.json says. Raises SkillcheckError where it can't be read."""
    told: Mapping[str, Any] = loaded(run / RUN)
    return told


def kept_in(folder: Path) -> Kept:
    """What was kept beside a record. Raises SkillcheckError where it can't be read."""
    path = folder / TRACE
    try:
        trace = _trace(path)
        raw = next(iter(sorted(folder.glob("raw.*"))), folder / RAW)
        path = folder / CHANGED
        state = _load(path)
        kept = (raw, folder / STDERR, folder / PATCH)
        data, stderr, patch = ((path := file).read_bytes() for file in kept)
        return Kept(trace, data, raw.name, stderr, patch, state["changed"], state["status"], state["log"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        message = f"{path} can't be read: {_reason(error)}"
        raise SkillcheckError(message) from error


def trace_in(folder: Path) -> Trace:
    """What the agent of a stored trial did. Raises SkillcheckError where it can't be read."""
    try:
        return _trace(folder / TRACE)
    except OSError as error:
        message = f"{folder / TRACE} can't be read: {_reason(error)}"
        raise SkillcheckError(message) from error


def _trace(path: Path) -> Trace:
    with path.open("rb") as lines:
        return Trace.of(event_lines.parse(lines))


def folder_name(name: str) -> str:
    """What a skill or an eval's id is called on disk, different for each on any file system, also for "a" and "A".

    Lower-case names stay as they are; others get a part of their hash. The ids 1 and "1" are one (`repeated-eval-id`).
    """
    if _PLAIN.match(name):
        return name
    plain = re.sub(r"[^a-z0-9._-]+", "-", name.lower()).strip("-.")[:40]
    return f"{plain or 'x'}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def _files(kept: Kept) -> Mapping[str, bytes]:
    state = {"changed": dict(kept.changed), "status": kept.status, "log": kept.log}
    return {
        TRACE: event_lines.lines(kept.trace),
        kept.raw_name: kept.raw,
        STDERR: kept.stderr,
        PATCH: kept.patch,
        CHANGED: _json({"schema_version": SCHEMA_VERSION, **state}),
    }


def _plain(value: Any) -> Any:
    """Records as JSON's objects and lists."""
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: _plain(each) for name, each in value._asdict().items()}
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


def grading(record: Record) -> dict[str, Any]:
    """What grading.json says: the shape of skill-creator, with agentskills.io's name for the same list.

    `pass_rate` is null where there is none.
    """
    expectations = shaped(record.grading.expectations)
    total, passed = len(expectations), sum(each.passed for each in record.grading.expectations)
    rate = passed / total if total else None
    return {
        "expectations": expectations,
        "assertion_results": expectations,
        "summary": {"passed": passed, "failed": total - passed, "total": total, "pass_rate": rate},
        "checks": shaped(record.grading.checks),
    }


def shaped(verdicts: Iterable[Judged]) -> list[dict[str, Any]]:
    """Verdicts in the shape of skill-creator."""
    return [{"text": each.text, "passed": each.passed, "evidence": each.evidence} for each in verdicts]


def timing(record: Record) -> dict[str, Any]:
    """What timing.json says: the shape of skill-creator; the tokens are the agent's."""
    seconds = record.seconds + record.grading.seconds
    return {
        "total_tokens": record.usage.total if record.usage else 0,
        "duration_ms": round(seconds * 1000),
        "total_duration_seconds": round(seconds, 3),
        "executor_duration_seconds": round(record.seconds, 3),
        "grader_duration_seconds": round(record.grading.seconds, 3),
    }


def _json(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data, indent=2).encode() + b"\n"


def _load(path: Path) -> Mapping[str, Any]:
    try:
        data = json.loads(path.read_bytes())
    except RecursionError:
        message = "its values are nested too deeply"
        raise ValueError(message) from None
    if not isinstance(data, dict):
        message = "it is no JSON object"
        raise TypeError(message)
    return upgraded(path.name, data)


def _reason(error: Exception) -> str:
    match error:
        case OSError():
            return error.strerror or str(error)
        case json.JSONDecodeError() | UnicodeDecodeError():
            return "it is no JSON"
        case KeyError():
            return f"{error} is missing"
    return str(error)


def _trial(record: Record) -> tuple[str, int]:
    """What a trial is called among those of its eval: its number, after the arm where that isn't the usual one."""
    return "" if record.arm == TREATED else record.arm, record.trial


def _natural(eval_id: str) -> tuple[int, str]:
    """Numbers in their order, before words."""
    return (int(eval_id), "") if eval_id.isdecimal() else (1 << 62, eval_id)
