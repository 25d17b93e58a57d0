"""What trials of any kind have in common: one is tried, tried again, kept, and never raises."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Generic, TypeVar

from skillcheck.errors import SkillcheckError
from skillcheck.evals import arm as arms
from skillcheck.evals.outcome import CLASSES, Then
from skillcheck.evals.runner import unrun
from skillcheck.evals.store import Kept
from skillcheck.evals.trace import Trace
from skillcheck.evals.workspace import Staging

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from skillcheck.evals.record import Record
    from skillcheck.evals.room import Crew, Room, Work
    from skillcheck.evals.runner import Planned
    from skillcheck.evals.store import Store
    from skillcheck.process import Limits

    Outcome = tuple[Record, Kept]

P = TypeVar("P", bound="Crew")
_BACKOFF_S = (1, 4, 15)
"""How long to wait before trying again what may pass by itself."""


@dataclass(frozen=True, slots=True)
class Course(Generic[P]):
    """What the trials of a run have in common: `run` is its folder in the store; `stop` ends them."""

    plan: P
    store: Store
    run: Path
    stop: threading.Event


def run(course: Course[P], spec: Planned, once: Callable[[], Outcome]) -> Record:
    """Run a trial, again where its outcome may pass by itself, and keep the last attempt. Never raises.

    `once` is one attempt.
    """
    notes: list[str] = []
    costs: list[float | None] = []
    retries = course.plan.settings.retries
    for attempt in range(1, retries + 2):
        record, kept = tried(course.plan, spec, once)
        costs.append(record.cost_usd)
        record = record._replace(attempts=attempt, notes=(*notes, *record.notes), cost_usd=_known(costs))
        record = course.store.clean(record)
        if CLASSES[record.how].then is not Then.RETRY or attempt > retries:
            break
        notes.append(f"attempt {attempt}: {record.how}: {record.message}")
        if course.stop.wait(_BACKOFF_S[min(attempt, len(_BACKOFF_S)) - 1]):
            break
    try:
        course.store.keep(course.run, record, kept)
    except SkillcheckError as error:
        return record._replace(status="error", how="workspace", message=str(error))
    return record


def _known(costs: Sequence[float | None]) -> float | None:
    """What is known to be spent; None where no attempt tells."""
    known = [cost for cost in costs if cost is not None]
    return sum(known) if known else None


def tried(crew: Crew, spec: Planned, once: Callable[[], Outcome]) -> Outcome:
    """One attempt, whose fault is an outcome too: it is never another trial's."""
    started = datetime.now(UTC).isoformat(timespec="seconds")
    try:
        record, kept = once()
    except SkillcheckError as error:
        record, kept = failed(crew, spec, "workspace", str(error))
    except OSError as error:  # a full disk, as a rule
        message = f"the trial's files can't be read or written: {error.strerror or error}"
        record, kept = failed(crew, spec, "workspace", message)
    except Exception as error:  # noqa: BLE001 - see above
        record, kept = failed(crew, spec, "internal", f"{type(error).__name__}: {error}")
    return record._replace(started=started), kept


def failed(crew: Crew, spec: Planned, how: str, message: str) -> Outcome:
    """The outcome of a trial whose agent did nothing that could be kept."""
    return unrun(crew, spec, how, message), Kept(Trace(()))


def worked(room: Room, limits: Limits, offered: str = "") -> Work | None:
    """What the agent did; None where its program isn't there."""
    try:
        return room.work(limits=limits, offered=offered)
    except FileNotFoundError:
        return None


def missing(room: Room, spec: Planned) -> Outcome:
    """The outcome where the agent's program isn't there."""
    message = f"the program {room.launch.argv[0]!r} was not found, or may not be run"
    return failed(room.crew, spec, "harness-config", message)


def written_first(room: Room, spec: Planned, limits: Limits, then: Callable[[Staging], Outcome]) -> Outcome:
    """Have the agent write a skill in a room whose prompt asks for it, then do the task with it.

    What the writing cost is the trial's too.
    """
    work = worked(room, limits)
    if work is None:
        return missing(room, spec)
    written = room.space.work / arms.WRITTEN
    if work.ended.how != "completed" or written.is_symlink() or not written.is_file():
        how = work.ended.how if work.ended.how != "completed" else "harness-config"
        message = work.ended.message or f"the agent wrote no {arms.WRITTEN}"
        return unrun(room.crew, spec, how, message), work.kept
    own = room.space.root / arms.OWN
    own.mkdir()
    written.replace(own / arms.WRITTEN)
    record, kept = then(Staging(own, f"{room.crew.harness.skills_dir}/{arms.OWN}"))
    before = work.trace
    cost = _known((before.cost_usd, record.cost_usd))
    usage = before.usage.plus(record.usage) if before.usage and record.usage else record.usage
    return record._replace(cost_usd=cost, usage=usage, seconds=record.seconds + work.exited.seconds), kept


def described(record: Record, room: Room, work: Work) -> Record:
    """The record with what the agent's work came to, whatever the grade is."""
    trace = work.trace
    return record._replace(
        model=trace.model or room.crew.settings.model,
        usage=trace.usage,
        cost_usd=trace.cost_usd,
        calls=len(trace.calls),
        malformed=trace.malformed,
        seconds=work.exited.seconds,
        truncated=work.exited.truncated,
        left=work.left,
        version=trace.version or room.crew.machine.version,
        notes=tuple(room.notes(work)),
    )
