"""What trials of any kind have in common: one is tried, tried again, kept, and never raises."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Generic, TypeVar

from skillcheck.errors import SkillcheckError
from skillcheck.evals.running.runner import unrun
from skillcheck.evals.running.summary import total_usage
from skillcheck.evals.store.store import NOTHING
from skillcheck.evals.trace.outcome import CLASSES, Then
from skillcheck.evals.workspace import arm as arms
from skillcheck.evals.workspace.workspace import Staging

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Collection, Iterable, Sequence
    from pathlib import Path

    from skillcheck.evals.plan.crew import Crew
    from skillcheck.evals.running.room import Room, Work
    from skillcheck.evals.running.runner import Planned
    from skillcheck.evals.store.record import Record
    from skillcheck.evals.store.store import Kept, Store
    from skillcheck.evals.trace.trace import Ended
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
    kept = NOTHING
    try:
        record, kept = once()
    except _UnfitError as error:
        record = unrun(crew, spec, "harness-config", str(error))
    except SkillcheckError as error:
        record = unrun(crew, spec, "workspace", str(error))
    except OSError as error:  # a full disk, as a rule
        message = f"the trial's files can't be read or written: {error.strerror or error}"
        record = unrun(crew, spec, "workspace", message)
    except Exception as error:  # noqa: BLE001 - see above
        record = unrun(crew, spec, "internal", f"{type(error).__name__}: {error}")
    return record._replace(started=started), kept


class _UnfitError(SkillcheckError):
    """The agent can't work as it is set up."""


def worked(room: Room, limits: Limits, *, apart: Iterable[str] = (), offered: str = "") -> Work:
    """What the agent did, who must not find the skills named in `apart` but where they were staged.

    What `tried` makes an outcome is raised where its program isn't there, or it does find one.
    """
    try:
        leaked = "; ".join(dict.fromkeys(line for skill in apart for line in room.leaks(skill)))
        if leaked:
            message = f"the arm is not isolated: {leaked}"
            raise _UnfitError(message)
        return room.work(limits=limits, offered=offered)
    except FileNotFoundError as error:
        message = f"the program {room.launch.argv[0]!r} was not found, or may not be run"
        raise _UnfitError(message) from error


def written_first(room: Room, spec: Planned, work: Work, then: Callable[[Staging], Outcome]) -> Outcome:
    """Do the task with the skill that the agent was asked for in a room; what that cost is the trial's too."""
    written = room.space.work / arms.WRITTEN
    if arms.WRITTEN not in work.snapshot.changed or not written.is_file() or written.is_symlink():
        return _charged(_unwritten(room.crew, spec, work.ended), work), work.kept
    own = room.space.root / arms.OWN
    own.mkdir()
    written.replace(own / arms.WRITTEN)
    record, kept = then(Staging(own, f"{room.crew.harness.skills_dir}/{arms.OWN}"))
    return _charged(record, work), kept


def _unwritten(crew: Crew, spec: Planned, ended: Ended) -> Record:
    """The record of a trial that lacks the skill that the agent should have written."""
    if CLASSES[ended.how].then is Then.GRADE:
        return unrun(crew, spec, "harness-config", f"the agent wrote no {arms.WRITTEN}")
    return unrun(crew, spec, ended.how, ended.message)


def _charged(record: Record, before: Work) -> Record:
    """The record with what came before it added: tokens, cost and seconds."""
    return record._replace(
        usage=total_usage((before.trace.usage, record.usage)),
        cost_usd=_known((before.trace.cost_usd, record.cost_usd)),
        seconds=before.exited.seconds + record.seconds,
    )


def described(room: Room, spec: Planned, work: Work, skills: Collection[str]) -> Record:
    """The record of what the agent did before it is graded; `skills` are the names of those that it was offered."""
    trace, crew = work.trace, room.crew
    return unrun(crew, spec, work.ended.how, work.ended.message)._replace(
        model=trace.model or crew.settings.model,
        usage=trace.usage,
        cost_usd=trace.cost_usd,
        calls=len(trace.calls),
        loaded=None if work.kept.is_text else not trace.loaded.isdisjoint(skills),
        malformed=trace.malformed,
        seconds=work.exited.seconds,
        truncated=work.exited.truncated,
        left=work.left,
        version=trace.version or crew.machine.version,
        notes=tuple(room.notes(work)),
    )
