"""The stored runs as commands see them: found by name, listed, shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck import experiment
from skillcheck.errors import UsageError
from skillcheck.evals import summary
from skillcheck.evals.evaluation import store_of
from skillcheck.report import Report, Table

if TYPE_CHECKING:
    from pathlib import Path

    from skillcheck.config import Config
    from skillcheck.evals.record import Record

SHOWN = 5
"""How many runs a message names."""


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
    told = experiment.told(records)
    return Report.of(
        (),
        metrics={"run": run.name, **summary.metrics(records)},
        records={"trials": summary.trials(records), **told.records},
        tables=(*summary.tables(records), *summary.verdicts(records), *told.tables),
        summary=(*faults, *told.summary, *summary.notes(records), *summary.summary(records), f"run: {run}"),
    )
