"""The stored runs as commands see them: found by name, listed, shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from skillcheck.errors import SkillcheckError, UsageError
from skillcheck.evals import summary
from skillcheck.evals.arm import TREATED
from skillcheck.evals.evaluation import store_of
from skillcheck.evals.store import RUN, about
from skillcheck.report import Report, Table

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from skillcheck.config import Config
    from skillcheck.evals.record import Record
    from skillcheck.evals.store import Stored

SHOWN = 5
"""How many runs a message names."""
_KINDS = {"model": str, "skills": dict, "cases": dict, "fixtures": dict, "settings": dict}


class Run(NamedTuple):
    """A stored run: what its run.json says, and its trials in the arm that evals are judged by.

    `faults` are messages on what can't be read of it.
    """

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


def read(config: Config, path: Path) -> Run:
    """A stored run by its folder; one whose run.json can't be read has no trials."""
    try:
        told = about(path)
    except SkillcheckError as error:
        return Run(path, {}, (), (str(error),))
    odd = next((name for name, kind in _KINDS.items() if not isinstance(told.get(name, kind()), kind)), None)
    if odd:
        return Run(path, {}, (), (f"{path / RUN} can't be read: {odd!r} is {told[odd]!r}",))
    found, faults = store_of(config, {}).read(path)
    return Run(path, told, tuple(stored for stored in found if stored.record.arm == TREATED), faults)


def every(config: Config) -> tuple[Run, ...]:
    """All stored runs, oldest first."""
    return tuple(read(config, path) for path in reversed(store_of(config, {}).runs()))


def find(config: Config, name: str) -> Path:
    """The folder of a stored run: of this name or beginning, or the `latest`. Raises UsageError if there is none."""
    store = store_of(config, {})
    runs = store.runs()
    found = runs[:1] if name == "latest" else [run for run in runs if run.name.startswith(name)]
    if len(found) != 1:
        what = "several runs begin with" if found else "no stored run"
        known = f"; there are {', '.join(run.name for run in runs[:SHOWN])}" if runs else f" in {store.root}"
        message = f"{what} {name!r}{known}"
        raise UsageError(message)
    return found[0]


def listed(config: Config) -> Report:
    """The stored runs, newest first."""
    store = store_of(config, {})
    rows: list[tuple[str, ...]] = []
    faults: list[str] = []
    for run in store.runs():
        found, broken = store.read(run)
        faults += broken
        rows.append(_row(run, [stored.record for stored in found]))
    columns = ("run", "agent", "delivery", "trials", "passed", "failed", "errors", "pass rate")
    table = (Table("Runs", columns, tuple(rows)),) if rows else ()
    records = tuple(dict(zip(columns, row, strict=True)) for row in rows)
    none = () if rows else (f"no stored runs in {store.root}",)
    return Report.of((), records={"runs": records}, tables=table, summary=(*none, *faults))


def _row(run: Path, records: list[Record]) -> tuple[str, ...]:
    found = summary.metrics(records)
    agents = dict.fromkeys(f"{record.harness} {record.model}".strip() for record in records)
    deliveries = dict.fromkeys(record.delivery for record in records)
    rate = "n/a" if found["pass_rate"] is None else f"{found['pass_rate']:.1%}"
    counts = (str(found[name]) for name in ("trials", "passed", "failed", "errors"))
    return run.name, ", ".join(agents), ", ".join(deliveries), *counts, rate


def shown(config: Config, name: str) -> Report:
    """The trials of a stored run."""
    run = find(config, name)
    found, faults = store_of(config, {}).read(run)
    records = tuple(stored.record for stored in found)
    return Report.of(
        (),
        metrics={"run": run.name, **summary.metrics(records)},
        records={"trials": summary.trials(records)},
        tables=(*summary.tables(records), *summary.verdicts(records)),
        summary=(*faults, *summary.notes(records), *summary.summary(records), f"run: {run}"),
    )
