"""What can be done with stored runs, on one page: show, verify, publish, hand out, merge, compare, watch, weigh."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skillcheck import api
from skillcheck.errors import UsageError
from skillcheck.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from skillcheck.catalog.catalog import Catalog
    from skillcheck.config import Config
    from skillcheck.past.merging import Merged
    from skillcheck.report import Report


def report(config: Config, run: str | None = None) -> Report:
    """The stored runs of a catalog, or the trials of one of them; see `runs.find` for what `run` may be."""
    from skillcheck.past import runs  # noqa: PLC0415 - the list of commands loads this file

    return runs.listed(config) if run is None else runs.shown(config, run)


def verify(config: Config, run: str, base: Path | None = None) -> Report:
    """Whether a stored run is as it was left, agrees with itself, and was made of what the catalog holds today.

    See `runs.find` for what `run` may be, and for what is raised.
    """
    from skillcheck.past import runs  # noqa: PLC0415 - see above

    catalog, reason = None, ""
    try:
        catalog = api.choose((), config, base)
    except UsageError as error:
        reason = str(error)
    return runs.verified(config, run, catalog, base or api.here(), reason)


def publish(config: Config, run: str, rows: Path | None = None, proof: Path | None = None) -> None:
    """Write the rows of a stored run that anybody may see, as JSON lines or .csv, and the private proof of them.

    See `runs.find` for what `run` may be, and for what is raised; a run that isn't as it was left has no proof.
    """
    from skillcheck.past import runs  # noqa: PLC0415 - see above

    runs.publish(config, run, rows, proof)


def hand_out(config: Config, run: str, form: str, folder: Path) -> Report:
    """Export a stored run into an empty folder, in the format of another tool; see `runs.find` for what `run` may be.

    Raises UsageError for an unknown format, a folder that holds something, and where nothing can be written.
    """
    from skillcheck.past import exporting  # noqa: PLC0415 - see above

    return exporting.hand_out(config, run, form, api.absolute(folder))


def merge(config: Config, names: Sequence[str]) -> Merged:
    """Put the shards of a run together into one new run; see `runs.find` for what a name may be, or a folder of runs.

    Raises UsageError, with all that stands against it, where they aren't all the shards of one run as they were left.
    """
    from skillcheck.past import merging  # noqa: PLC0415 - see above

    return merging.merge(config, names)


def compare(catalog: Catalog, names: Sequence[str], *, anyway: bool = False) -> Report:
    """Stored runs against the first of them; see `runs.find` for what a name may be.

    `anyway` compares those too that did different things. Raises UsageError for fewer than two runs, an unknown or
    repeated one, one without trials, and one that has no eval in common with the first.
    """
    from skillcheck.past import comparison, runs  # noqa: PLC0415 - see above

    paths = tuple(dict.fromkeys(runs.find(catalog.config, name) for name in names))
    if len(paths) < max(2, len(names)):
        message = f"two different runs or more are compared, not {' and '.join(map(repr, names))}"
        raise UsageError(message)
    return comparison.report(catalog, [runs.read(catalog.config, path) for path in paths], anyway=anyway)


def history(catalog: Catalog, **wanted: Any) -> Report:
    """The stored runs of a catalog over time; `wanted` are the fields of `history.Wanted`.

    Raises UsageError where no run is stored of what is wanted.
    """
    from skillcheck.past import history as past  # noqa: PLC0415 - see above
    from skillcheck.past import runs  # noqa: PLC0415 - see above

    return past.report(catalog, runs.every(catalog.config), past.Wanted(**wanted))


def add_to_ledger(
    catalog: Catalog,
    *,
    skills: Sequence[str],
    today: date,
    rank1_before: Sequence[float | None] = (),
    before: str | None = None,
    after: str | None = None,
    **texts: str,
) -> Path:
    """Append to a catalog's ledger what was `tried` on skills, with the `conclusion`; returns its path.

    `rank1_before` are rates in percent, one a skill or none; those after are today's. For `before` and `after` see
    `runs.find`. Raises UsageError for an unknown skill or run, one without a graded trial, a blank text, and a ledger
    that can't be read or written.
    """
    from skillcheck.past import ledger, runs  # noqa: PLC0415 - see above

    names = tuple(dict.fromkeys(skills))
    api.check_known(names, catalog.names)
    rates = api.routed(catalog).quality.skills
    read = {run: runs.read(catalog.config, runs.find(catalog.config, run)) for run in (before, after) if run}
    entry = ledger.Entry(
        today,
        names,
        rank1_before=ledger.by_skill(names, rank1_before),
        rank1_after={name: rates[name].percent for name in names if name in rates},
        before=read.get(before or ""),
        after=read.get(after or ""),
        **texts,
    )
    path = ledger.place(catalog.config)
    ledger.add(path, entry)
    return path


def fitness(
    names: Sequence[str],
    config: Config | None = None,
    base: Path | None = None,
    least: Mapping[str, float] | None = None,
) -> Report:
    """The fitness index of skills by stored runs. `names` are of either; without a run it is the latest.

    A finding tells of each score, or `total`, below what `least` says of it by name, 0 to 100. Raises UsageError for a
    name that neither a skill nor a run has, and where no run is stored and every skill can be loaded.
    """
    from skillcheck.fitness import report  # noqa: PLC0415 - see above
    from skillcheck.past import runs  # noqa: PLC0415 - see above

    known = api.load((), config, base).known
    skills = [name for name in names if name in known or (os.sep in name and not runs.is_run(Path(name)))]
    catalog = api.choose(skills, config, base)
    named = [name for name in names if name not in skills]
    lost = any(skill.load_fault for skill in catalog.reported_skills)
    if not named and (runs.every(catalog.config) or not lost):
        named = ["latest"]
    paths = dict.fromkeys(_run(catalog, name) for name in named)
    return report.report(catalog, [runs.read(catalog.config, path) for path in paths], least or {}, skills)


def _run(catalog: Catalog, name: str) -> Path:
    """The folder of a stored run; the message on an unknown one thinks of skills too."""
    from skillcheck.past import runs  # noqa: PLC0415 - see above

    try:
        return runs.find(catalog.config, name)
    except UsageError as error:
        message = f"{error}{did_you_mean(name, sorted(catalog.known))}"
        raise UsageError(message) from error
