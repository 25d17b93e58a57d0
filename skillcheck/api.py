"""The program on one page: configure, load, lint, fix, route, check, plan, evaluate, grade, take in."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from skillcheck import config as settings
from skillcheck.catalog import load as reader
from skillcheck.diagnostic import clipped
from skillcheck.errors import UsageError
from skillcheck.report import Report
from skillcheck.rules import active, families, run
from skillcheck.suggest import did_you_mean
from skillcheck.suppress import suppress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from threading import Event

    from skillcheck.catalog.catalog import Catalog
    from skillcheck.config import Config
    from skillcheck.evals.plan.plan import Plan
    from skillcheck.evals.plan.settings import Settings
    from skillcheck.evals.running.results import Results
    from skillcheck.evals.running.runner import Progress
    from skillcheck.mend import Change
    from skillcheck.routing import Routing
    from skillcheck.rules import Rule

LATER = frozenset({"cases", "routing"})
"""The families of rules that need case files."""
AGENTS = frozenset({"behavior"})
"""The families of rules that need agents."""
TASKS = frozenset({"tasks"})
"""The families of rules on task packages, which are no part of a catalog."""
STORED = frozenset({"history", "runs"})
"""The families of rules on stored runs."""
FOREIGN = frozenset({"exchange"})
"""The families of rules on others' files."""
UNROUTABLE = frozenset({
    "empty-description", "file-too-large", "invalid-yaml", "missing-description", "missing-frontmatter", "not-utf8",
    "unquoted-colon", "unreadable-file",
})  # fmt: skip
"""The rules that tell why a skill takes no part in routing, or a case file can't be read."""


def configure(paths: Sequence[Path] = (), base: Path | None = None, overrides: Iterable[str] = ()) -> Config:
    """The settings that count for `paths`, relative to `base`, which is the working directory if not given.

    `overrides` are `dotted.key=TOML value`, laid over those of the file. Raises UsageError for settings that can't be
    read, an unknown key, or a value of the wrong type.
    """
    base = base or here()
    start = absolute(base / paths[0]) if paths else base
    return settings.load(start if os.path.isdir(start) else start.parent, overrides)  # noqa: PTH112 - Path.is_dir raises


def load(paths: Sequence[Path] = (), config: Config | None = None, base: Path | None = None) -> Catalog:
    """Read the catalog that `paths` belong to; without any, the one that settings name.

    `base` is the working directory if not given, `config` what `configure` finds. Case files are read when they are
    first asked for.

    Raises UsageError for a path that isn't there, and when no skill is found.
    """
    base = base or here()
    config = config or configure(paths, base)
    return reader.load([absolute(base / path) for path in paths], config, base)


def lint(catalog: Catalog) -> Report:
    """Tier 1: whether every SKILL.md is right.

    Raises UsageError where settings name an unknown rule, or an option or value that a rule doesn't take; so do
    `route`, `check` and `fix`.
    """
    ran = active(catalog.config, families() - LATER - AGENTS - STORED - TASKS - FOREIGN)
    found = suppress(run(ran, catalog, with_cases=False), catalog, ran)
    return Report.of(found, metrics={"skills": len(catalog.selected)}, summary=_left_out(catalog))


def _left_out(catalog: Catalog) -> tuple[str, ...]:
    """What was named and yet isn't reported on."""
    return tuple(f"left out by the settings: {path}" for path in catalog.left_out)


def routed(catalog: Catalog, *, least: float | None = None, against: str | None = None) -> Routing:
    """Rank the skills for every trigger prompt.

    `least` is a rank-1 rate in percent that must be reached; `against` a git revision whose ratchet file must not be
    higher. Raises UsageError for a ratchet file that can't be read, or a revision that git doesn't know.
    """
    from skillcheck import ratchet_file, routing  # noqa: PLC0415 - lint routes nothing

    floor = ratchet_file.read(catalog.config)
    before = None if against is None else ratchet_file.read_at(catalog.config, against)
    return routing.route(catalog, floor=floor, before=before, least=least)


def route(routing: Routing) -> Report:
    """Tier 2: whether the trigger prompts reach their skills; what keeps a file from being read is told too."""
    return _report(routing, active(routing.catalog.config, LATER | UNROUTABLE))


def raise_ratchet(routing: Routing, report: Report) -> bool:
    """Raise the frozen floor to what `routing` reached, for the catalog and by skill; True if the file changed.

    Raises UsageError where only a part of the catalog was named, where its `report` has errors, since a skill that
    takes no part would lift the others, and where no prompt was ranked.
    """
    from skillcheck import ratchet_file  # noqa: PLC0415 - see above
    from skillcheck.router.ratchet import raised  # noqa: PLC0415 - see above

    obstacles = (
        (
            len(routing.catalog.selected) < len(routing.catalog.skills),
            "it belongs to the whole catalog: name no PATHS",
        ),
        (report.exit_status() != 0, "the catalog has errors: mend what the report says"),
        (not routing.quality.rank1.scoreable, "there is no positive prompt to raise it by"),
    )
    for stands, reason in obstacles:
        if stands:
            message = f"the ratchet is not raised: {reason}"
            raise UsageError(message)
    floor = raised(routing.floor, routing.quality)
    if floor == routing.floor:
        return False
    ratchet_file.write(routing.catalog.config, floor)
    return True


def check(catalog: Catalog, *, least: float | None = None, against: str | None = None) -> Report:
    """Both tiers and the case files in one report; see `routed` for the options and what it raises."""
    ran = active(catalog.config, families() - AGENTS - STORED - TASKS - FOREIGN)
    return _report(routed(catalog, least=least, against=against), ran)


def _report(routing: Routing, ran: Sequence[Rule]) -> Report:
    from skillcheck import figures  # noqa: PLC0415 - see above

    catalog = routing.catalog
    found = suppress(run(ran, catalog, routing), catalog, ran)
    return Report.of(
        found,
        metrics={"skills": len(catalog.selected), **figures.metrics(routing)},
        records=figures.records(routing),
        tables=figures.tables(routing),
        summary=(*_left_out(catalog), *figures.summary(routing)),
    )


def choose(skills: Sequence[str], config: Config | None = None, base: Path | None = None) -> Catalog:
    """The catalog with the skills of some names or paths selected, or all of them where none is named.

    Raises UsageError for a name that no skill has, and as `load` does.
    """
    if any(os.sep in skill or skill == os.curdir for skill in skills):  # a name has neither
        return load(tuple(map(Path, skills)), config, base)
    whole = load((), config, base)
    known = {name: skill.shown for skill in whole.skills for name in (skill.folder, skill.name)}
    check_known(skills, known)
    return replace(whole, selected=frozenset(known[skill] for skill in skills)) if skills else whole


def check_known(skills: Iterable[str], known: Iterable[str]) -> None:
    """Raises UsageError for a name that no skill has."""
    for skill in skills:
        if skill not in known:
            there = f"; there are {clipped(', '.join(sorted(known)))}"
            message = f"no skill {skill!r} in this catalog{did_you_mean(skill, sorted(known), there)}"
            raise UsageError(message)


def plan(catalog: Catalog, settings: Settings, environ: Mapping[str, str] | None = None) -> Plan:
    """What a run of the selected skills' behavioral evals would do; see `evaluate`.

    `environ` is the environment that agents and graders may draw from, this process's if not given. Raises UsageError
    for an unknown harness, grader or eval, and where there is no eval.
    """
    from skillcheck import behavior  # noqa: PLC0415 - see above

    return behavior.plan(catalog, settings, os.environ if environ is None else environ)


def evaluate(plan: Plan, tell: Callable[[Progress], None] | None = None, stop: Event | None = None) -> Results:
    """Tier 3: run the trials of a plan, keep what agents did below evals/results/, and grade it.

    `tell` is told how far it is; `stop` ends it early. Raises SkillcheckError where something is missing that every
    trial needs, before any is begun.
    """
    from skillcheck.evals.running import evaluation  # noqa: PLC0415 - see above

    return evaluation.evaluate(plan, tell, stop)


def evaluate_all(
    plans: Sequence[Plan], tell: Callable[[Progress], None] | None = None, stop: Event | None = None
) -> tuple[Results, ...]:
    """Run plans for several agents one after the other, within one budget; see `evaluate`."""
    from skillcheck.evals.running import evaluation  # noqa: PLC0415 - see above

    return evaluation.evaluate_all(plans, tell, stop)


def grade(
    catalog: Catalog,
    run: str,
    settings: Settings,
    tell: Callable[[Progress], None] | None = None,
    stop: Event | None = None,
) -> Results:
    """Grade a stored run again, in place, without an agent: by today's cases and the grader that `settings` name.

    `run` is a name, its beginning, `latest`, or a path. Raises UsageError where there is no such run, and
    SkillcheckError where it can't be read or the grader lacks something.
    """
    from skillcheck.evals.running import regrading  # noqa: PLC0415 - see above
    from skillcheck.past import runs  # noqa: PLC0415 - see above

    return regrading.regrade(catalog, settings, os.environ, runs.find(catalog.config, run), tell, stop)


def take_in(
    sources: Sequence[Path],
    config: Config,
    base: Path | None = None,
    *,
    skill: str | None = None,
    form: str | None = None,
    write: bool = True,
) -> Report:
    """Import others' eval files into the case files and fixtures of a catalog; without `write` nothing is changed.

    `skill` is the skill that all of them are for, whatever they say; `form` the name of their format, which else goes
    by shape. Raises UsageError for a source that isn't there, an unknown format, and where nothing can be written.
    """
    from skillcheck import importing  # noqa: PLC0415 - see above

    base = base or here()
    paths = [absolute(base / path) for path in sources]
    return importing.take_in(paths, config, base, skill=skill, form=form, write=write)


def fix(catalog: Catalog, *, write: bool = True) -> tuple[Report, tuple[Change, ...]]:
    """Lint, and mend what has a safe fix; without `write` no file is changed.

    Returns the report on what is left, and the changes in path order. Raises UsageError where a file can't be written.
    """
    from skillcheck.mend import mend  # noqa: PLC0415 - a plain lint mends nothing
    from skillcheck.replace import replace as write_file  # noqa: PLC0415 - see above

    report, changes = mend(catalog, lint)
    if write:
        for change in changes:
            write_file(change.skill.path, change.after)
    return report, changes


def here() -> Path:
    """The working directory. Raises UsageError where it can't be read."""
    try:
        return Path.cwd()
    except OSError as error:
        message = f"the working directory can't be read: {error.strerror}"
        raise UsageError(message) from error


def absolute(path: Path) -> Path:
    """Absolute and without dots, links left as they are."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - Path.resolve would follow links
