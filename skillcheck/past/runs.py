"""The stored runs as commands see them: found by name, listed, shown."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from skillcheck import experiment
from skillcheck.bench import subjects
from skillcheck.catalog.files import shown as shown_path
from skillcheck.errors import SkillcheckError, UsageError
from skillcheck.evals.running import summary
from skillcheck.evals.running.evaluation import store_of
from skillcheck.evals.store import chain, public
from skillcheck.evals.store import proof as proofs
from skillcheck.evals.store.difference import shown_value
from skillcheck.evals.store.inspection import inspect
from skillcheck.evals.store.store import DIGESTS, RUN, about
from skillcheck.evals.workspace.arm import TREATED
from skillcheck.replace import replace
from skillcheck.report import Report, Table
from skillcheck.rules import active, told

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from skillcheck.catalog.catalog import Catalog
    from skillcheck.config import Config
    from skillcheck.evals.store.record import Record
    from skillcheck.evals.store.store import Stored

FAMILY = frozenset({"runs"})
SHOWN = 5
"""How many runs a message names."""
_KINDS = {
    "model": str, "skills": dict, "cases": dict, "fixtures": dict, "settings": dict, "tasks": dict, "programs": dict,
    "commands": list, "merged": list,
}  # fmt: skip


class Run(NamedTuple):
    """A stored run: what its run.json says, and its trials. `faults` are messages on what can't be read of it."""

    path: Path
    about: Mapping[str, Any]
    trials: tuple[Stored, ...]
    faults: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What it is called, which sorts by time."""
        return self.path.name

    @property
    def records(self) -> tuple[Record, ...]:
        """The trials without their folders."""
        return tuple(stored.record for stored in self.trials)

    @property
    def agents(self) -> str:
        """Its agents with their models, as people read them; what wasn't begun has none, and so tells of none."""
        known = {record.harness for record in self.records if record.model}
        named = (record.agent for record in self.records if record.model or record.harness not in known)
        return ", ".join(dict.fromkeys(named))

    @property
    def shard(self) -> tuple[int, int]:
        """Which part of a whole run it is, from 1, and of how many; a whole one is 1 of 1."""
        match self.about.get("settings", {}).get("shard"):
            case [int(part), int(parts)] if 1 <= part <= parts:
                return part, parts
        return 1, 1

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of the runs that a merged one was made of, by shard."""
        return tuple(name for name in self.about.get("merged", ()) if isinstance(name, str))


def whole(config: Config, path: Path) -> Run:
    """A stored run by its folder, with all arms; one whose run.json can't be read has no trials."""
    says, fault = _said(path)
    if fault:
        return Run(path, {}, (), (fault,))
    return Run(path, says, *store_of(config, {}).read(path))


def _said(path: Path) -> tuple[Mapping[str, Any], str]:
    """What run.json says, or why it can't be read."""
    try:
        says = about(path)
    except SkillcheckError as error:
        return {}, str(error)
    odd = next((name for name, kind in _KINDS.items() if not isinstance(says.get(name, kind()), kind)), None)
    return ({}, f"{path / RUN} can't be read: {odd!r} is {shown_value(says[odd])}") if odd else (says, "")


def read(config: Config, path: Path) -> Run:
    """A stored run as `whole`, with its trials in the arm that evals are judged by."""
    found = whole(config, path)
    return found._replace(trials=tuple(stored for stored in found.trials if stored.record.arm == TREATED))


def origins(runs: Iterable[Run]) -> Callable[[Run, Record], tuple[str, str]]:
    """What tells trials of some runs apart that were run for themselves, from those that a run took from another.

    A merged run is one with all that it was made of, whichever of them a trial was taken from.
    """
    first = {name: run.parts[0] for run in runs if run.parts for name in (run.name, *run.parts)}

    def origin(run: Run, record: Record) -> tuple[str, str]:
        name = record.reused or run.name
        return first.get(name, name), record.key

    return origin


def damage(run: Run) -> tuple[str, ...]:
    """A message on a run that has not ended, or isn't as it was left: files may be missing."""
    try:
        wrong = chain.checked(run.path)[1]
    except SkillcheckError as error:
        return (str(error),)
    return (f"run {run.name} {wrong}: see `skillcheck verify`",) if wrong else ()


def every(config: Config) -> tuple[Run, ...]:
    """All stored runs, oldest first, but for those that a merged one was made of, if that was finished."""
    found = tuple(read(config, path) for path in reversed(store_of(config, {}).runs()))
    merged = {name for run in found if (run.path / DIGESTS).is_file() for name in run.parts}
    return tuple(run for run in found if run.name not in merged)


def find(config: Config, name: str) -> Path:
    """The folder of a stored run: of this name or beginning, the `latest`, or at a path, which has a slash.

    Raises UsageError if there is none.
    """
    if os.sep in name or name == os.curdir:
        return _at(Path(os.path.abspath(name)))  # noqa: PTH100 - links stay as they are
    store = store_of(config, {})
    runs = store.runs()
    found = runs[:1] if name == "latest" else [run for run in runs if run.name.startswith(name)]
    if len(found) != 1:
        what = "several runs begin with" if found else "no stored run"
        known = f"; there are {', '.join(run.name for run in runs[:SHOWN])}" if runs else f" in {store.root}"
        message = f"{what} {name!r}{known}"
        raise UsageError(message)
    return found[0]


def is_run(folder: Path) -> bool:
    """Whether a folder holds a run."""
    return any((folder / name).is_file() for name in (RUN, DIGESTS))


def _at(folder: Path) -> Path:
    if not is_run(folder):
        message = f"no stored run in {folder}: it holds no {RUN}"
        raise UsageError(message)
    return folder


def listed(config: Config) -> Report:
    """The stored runs, newest first."""
    store = store_of(config, {})
    found = [whole(config, path) for path in store.runs()]
    rows = [_row(run) for run in found if run.about]
    faults = [fault for run in found for fault in run.faults]
    columns = ("run", "agent", "delivery", "trials", "passed", "failed", "errors", "pass rate")
    table = (Table("Runs", columns, tuple(rows)),) if rows else ()
    records = tuple(dict(zip(columns, row, strict=True)) for row in rows)
    none = () if found else (f"no stored runs in {store.root}",)
    return Report.of((), records={"runs": records}, tables=table, summary=(*none, *faults))


def verified(config: Config, name: str, catalog: Catalog | None, base: Path, reason: str = "") -> Report:
    """What is wrong with a stored run; `reason` says why there is no catalog to hold it against."""
    run = find(config, name)
    found = inspect(run, catalog, base)
    digest = {"digest": found.digest} if found.digest else {}
    counts = {"run": run.name, "trials": found.trials, "files": found.files, **digest}
    digests = (f"digest: {found.digest}",) if found.digest else ()
    line = f"run: {shown_path(run, base)}, {found.trials} trials in {found.files} files"
    unseen = (f"what was tested was not compared: {reason}",) if reason else ()
    return Report.of(
        told(active(config, FAMILY), (*found.places, *subjects.changed(found.tested, base)), config),
        metrics={"skills": len(catalog.selected) if catalog else 0, **counts},
        summary=(*unseen, line, *digests),
    )


def publish(config: Config, name: str, rows: Path | None, proof: Path | None) -> None:
    """Write the public rows of a stored run, and the private proof of them."""
    run = whole(config, find(config, name))
    if run.faults:
        raise SkillcheckError("; ".join(run.faults))
    made = public.rows(run.name, run.about, run.records)
    if proof:  # first, since it is refused for a run that was edited
        proofs.write(proof, run.path, run.trials, made)
    if rows:
        replace(rows, public.text(made, as_csv=rows.suffix.lower() == ".csv"))


def _row(run: Run) -> tuple[str, ...]:
    found = summary.metrics(run.records)
    deliveries = dict.fromkeys(record.delivery for record in run.records)
    rate = "n/a" if found["pass_rate"] is None else f"{found['pass_rate']:.1%}"
    counts = (str(found[name]) for name in ("trials", "passed", "failed", "errors"))
    return run.name, run.agents, ", ".join(deliveries), *counts, rate


def shown(config: Config, name: str) -> Report:
    """The trials of a stored run."""
    run = whole(config, find(config, name))
    records = run.records
    told = experiment.told(records)
    return Report.of(
        (),
        metrics={"run": run.name, **summary.metrics(records)},
        records={"trials": summary.trials(records), **told.records},
        tables=(*summary.tables(records), *summary.verdicts(records), *told.tables),
        summary=(
            *run.faults,
            *damage(run),
            *told.summary,
            *summary.notes(records),
            *summary.summary(records),
            *_origin(run),
            f"run: {run.path}",
        ),
    )


def _origin(run: Run) -> Iterator[str]:
    """What a run is a part of, or was made of."""
    part, parts = run.shard
    if parts > 1:
        yield f"shard: {part}/{parts}; `skillcheck merge` puts the {parts} together"
    if run.parts:
        yield f"merged: {', '.join(run.parts)}"
