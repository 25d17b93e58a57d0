"""A stored run held against its digests, against itself, and against what stands in the catalog today."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from skillcheck.catalog.discover import SKILL_FILE
from skillcheck.catalog.fault import Fault
from skillcheck.catalog.files import shown
from skillcheck.diagnostic import Problem, clipped
from skillcheck.errors import SkillcheckError
from skillcheck.evals.store import chain
from skillcheck.evals.store.chain import Changes
from skillcheck.evals.store.difference import SHOWN, differences, named, shown_value
from skillcheck.evals.store.store import (
    DIGESTS,
    GRADING,
    OUTCOME,
    RUN,
    TIMING,
    about,
    grading,
    outcomes,
    place,
    record_in,
    timing,
)
from skillcheck.evals.trace.outcome import CLASSES, TIMEOUTS, Then
from skillcheck.evals.workspace import digest
from skillcheck.located import ParseError
from skillcheck.located import json as located_json
from skillcheck.span import START, Lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from skillcheck.catalog.catalog import Catalog
    from skillcheck.evals.store.difference import At
    from skillcheck.evals.store.record import Record
    from skillcheck.span import Span

    Places = Iterator[tuple[str, Fault]]

_KINDS = {"skills": "skill", "cases": "case file of", "fixtures": "fixture"}


@dataclass(frozen=True, slots=True)
class Inspection:
    """What was found in a run, by shown path; `digest` is the run's, in hex, empty for a run that isn't as it was.

    `tested` is what run.json says was tested.
    """

    digest: str
    tested: Mapping[str, Any]
    files: int
    trials: int
    places: tuple[tuple[str, Fault], ...]


def inspect(run: Path, catalog: Catalog | None, base: Path) -> Inspection:
    """Look a run through; without a catalog, nothing is said of what has changed in it since.

    Raises SkillcheckError for a folder that can't be listed.
    """
    now = chain.of(run)
    edited = tuple(_edited(run, now, base))
    found = (*edited, *_trials(run, base), *(_changed(now.tested, catalog) if catalog else ()))
    return Inspection("" if edited else now.run, now.tested, len(now.files), sum(1 for _ in outcomes(run)), found)


def _edited(run: Path, now: chain.Chain, base: Path) -> Places:
    """What isn't as the run left it."""
    show = partial(shown, base=base)
    try:
        about(run)
    except SkillcheckError as error:
        yield _unreadable(run / RUN, error, base)
    try:
        before = chain.read(run)
    except SkillcheckError as error:
        yield _unreadable(run / DIGESTS, error, base)
        return
    if before is None:
        message = f"the run has no {DIGESTS}: it was interrupted, or is still under way"
        yield show(run), Fault("unfinished-run", Problem(START, message, "what is there was looked through"))
        return
    if before.run != before.whole:
        message = f"'run' is {clipped(before.run, SHOWN)!r}; the digests beside it give {before.whole!r}"
        yield show(run / DIGESTS), Fault("edited-run", Problem(_span(run / DIGESTS, ("run",)), message))
    changes = Changes(before, now)
    for path in changes.paths:
        yield show(run / path), Fault("edited-run", _change(changes, path))
    if now.tested:
        for at, is_now, was in differences(now.tested, before.tested):
            message = f"{named(at)!r} is {shown_value(is_now)}; {DIGESTS} says {shown_value(was)}"
            yield show(run / RUN), Fault("edited-run", Problem(_span(run / RUN, at), message))


def _unreadable(path: Path, error: SkillcheckError, base: Path) -> tuple[str, Fault]:
    return shown(path, base), Fault("edited-run", Problem(START, str(error).removeprefix(f"{path} ")))


def _change(changes: Changes, path: str) -> Problem:
    was, is_now = (each.files.get(path) for each in changes)
    what = "was added" if was is None else "is missing" if is_now is None else "was changed"
    parts = path.split("/")
    whose = f" (trial {parts[2]} of eval {parts[1]} of {parts[0]})" if len(parts) > 3 else ""  # noqa: PLR2004 - its depth
    told = " and ".join(f"{name} {value}" for name, value in (("was", was), ("is", is_now)) if value)
    return Problem(START, f"{parts[-1]} {what} after the run{whose}", f"its sha256 {told}")


def _trials(run: Path, base: Path) -> Places:
    """What contradicts itself in each trial."""
    for path in sorted(outcomes(run)):
        try:
            record = record_in(path)
        except SkillcheckError as error:
            yield _unreadable(path, error, base)
            continue
        for name, at, message in (*_outcome(run, path, record), *_derived(path.parent, record)):
            file = path.with_name(name)
            yield shown(file, base), Fault("contradictory-result", Problem(_span(file, at), message))


def _outcome(run: Path, path: Path, record: Record) -> Iterator[tuple[str, At, str]]:
    right = place(run, record).relative_to(run).as_posix()
    there = path.parent.relative_to(run).as_posix()
    if right != there:
        yield OUTCOME, (), f"the trial lies in {there!r}; what it says of itself belongs in {right!r}"
    if record.how not in CLASSES:
        yield OUTCOME, ("how",), f"'how' is {clipped(record.how, SHOWN)!r}, which is no class of outcomes"
        return
    allowed = _statuses(record)
    if record.status not in allowed:
        due = " or ".join(map(repr, allowed))
        yield OUTCOME, ("status",), f"'status' is {record.status!r}; by its verdicts and its class it is {due}"


def _statuses(record: Record) -> tuple[str, ...]:
    """What a trial's status can be: by its verdicts, or by a reward that no threshold can turn."""
    reward = record.verified.reward if record.verified else None
    if reward in {0, 1}:
        return ("passed",) if reward else ("failed",)
    if reward is not None or CLASSES[record.how].then is Then.GRADE:
        return ("failed",) if record.grading.failed else ("passed",)
    return ("error", "failed") if record.how in TIMEOUTS else ("error",)


def _derived(folder: Path, record: Record) -> Iterator[tuple[str, At, str]]:
    """What is told twice, the second time in another way."""
    for name, expected in ((GRADING, grading(record)), (TIMING, timing(record))):
        if (folder / name).is_file():
            try:
                found = json.loads((folder / name).read_bytes())
            except (OSError, ValueError, RecursionError):
                yield name, (), "can't be read: it is no JSON"
                continue
            for at, is_now, due in differences(found, expected):
                yield name, at, f"{named(at)!r} is {shown_value(is_now)}; by {OUTCOME} it is {shown_value(due)}"


def _changed(tested: Mapping[str, Any], catalog: Catalog) -> Places:
    """What was tested and isn't the same today."""
    for kind, name, was in _digests(tested):
        path = _subject(catalog, kind, name)
        what = f"the {_KINDS[kind]} {name}"
        if path is None or not path.exists():
            yield catalog.show("."), Fault("changed-subject", Problem(START, f"{what} is no more in the catalog"))
        elif digest.of_tree(path) != was:
            file = path / SKILL_FILE if kind == "skills" else path
            message = f"{what} has changed since"
            yield shown(file, catalog.base), Fault("changed-subject", Problem(START, message, "run its evals again"))


def _digests(tested: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for kind in _KINDS:
        told = tested.get(kind)
        yield from ((kind, name, was) for name, was in told.items()) if isinstance(told, dict) else ()


def _subject(catalog: Catalog, kind: str, name: str) -> Path | None:
    """Where a thing of a name stands today; of several skills with one name the first was tested."""
    if kind == "fixtures":
        return catalog.fixtures / name
    skill = next(iter(catalog.names.get(name, ())), None)
    if skill is None:
        return None
    if kind == "skills":
        return skill.path.parent
    files = {file.stem: file.path for file in catalog.case_files}
    return files.get(skill.name) or files.get(skill.folder)


def _span(path: Path, at: At) -> Span:
    """Where a value stands in a JSON file, as far as that can be told."""
    try:
        return located_json.parse(Lines.of(path.read_text("utf-8"))).span(*at)
    except (OSError, UnicodeDecodeError, ParseError):
        return START
