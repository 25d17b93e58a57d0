"""`skillcheck export` without its options: a stored run, written as another tool reads it."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

from skillcheck import experiment
from skillcheck.catalog import cases
from skillcheck.catalog.fault import Fault
from skillcheck.catalog.load import MAX_CASE_BYTES, read_text
from skillcheck.errors import SkillcheckError, UsageError
from skillcheck.evals.store.store import NOTHING, kept_in
from skillcheck.exchange import exporter as exporters
from skillcheck.exchange.exporter import Run
from skillcheck.past import runs
from skillcheck.report import Report

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from skillcheck.config import Config
    from skillcheck.evals.store.record import Record
    from skillcheck.evals.store.store import Kept, Stored


def hand_out(config: Config, run: str, form: str, folder: Path) -> Report:
    """Export a stored run into a folder; see `stored.hand_out`."""
    exporter = exporters.named(form)
    found = runs.find(config, run)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        message = f"{folder} is not an empty folder"
        raise UsageError(message)
    read = runs.whole(config, found)
    if not read.about:
        raise SkillcheckError("; ".join(read.faults))
    lost: list[str] = []
    written = 0
    stored = Run(read.trials, partial(_kept, lost), _prompts(config), _statistics(read.records))
    for name, data in exporter.files(stored):
        _write(folder / name, data)
        written += 1
    told = f"{len(read.trials)} trials of {found.name} in {written} files below {folder}"
    return Report.of((), metrics={"trials": len(read.trials), "files": written}, summary=(*read.faults, *lost, told))


def _kept(lost: list[str], stored: Stored) -> Kept:
    """What is kept of a trial; nothing where it can't be read, which `lost` then tells."""
    try:
        return kept_in(stored.folder)
    except SkillcheckError as error:
        lost.append(str(error))
        return NOTHING


def _prompts(config: Config) -> Callable[[Record], str]:
    """The task of a trial, as today's case file has it."""

    @cache
    def of_skill(skill: str) -> Mapping[str, str]:
        path = config.root / config.cases / f"{skill}.json"
        text = read_text(path, MAX_CASE_BYTES)
        return {} if isinstance(text, Fault) else {str(e.id): e.prompt for e in cases.parse(path, "", text).evals}

    return lambda record: of_skill(record.skill).get(record.eval, "")


def _statistics(records: Sequence[Record]) -> Mapping[str, Any]:
    """What the arms of an experiment tell, by skill; nothing of a run with one arm."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for each in experiment.metrics(experiment.studies(records)):
        found.setdefault(each["skill"], []).append(each)
    return found


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        message = f"{path} can't be written: {error.strerror}"
        raise UsageError(message) from error
