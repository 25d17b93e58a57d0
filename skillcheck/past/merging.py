"""Shards put together: what keeps runs apart, and the one run that they make."""

from __future__ import annotations

import os
import shlex
import shutil
from collections import defaultdict
from datetime import UTC, datetime
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from skillcheck.bench import running
from skillcheck.errors import SkillcheckError, UsageError
from skillcheck.evals.running import summary
from skillcheck.evals.running.evaluation import store_of
from skillcheck.evals.store import chain as chains
from skillcheck.evals.store.difference import differences, named, shown_value
from skillcheck.evals.store.store import DIGESTS, RUN, Store, loaded
from skillcheck.evals.workspace.digest import of_set
from skillcheck.past import runs

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from skillcheck.config import Config
    from skillcheck.evals.store.record import Record
    from skillcheck.evals.store.store import Stored
    from skillcheck.past.runs import Run
    from skillcheck.report import Report

    About = Mapping[str, Any]

_SUBJECTS = ("skills", "cases", "fixtures", "tasks")
"""What run.json names one by one: what two shards have in common must be the same."""
_OF_A_SHARD = ("shard_of", "task_set_digest", "commands", "dirty", "programs", *_SUBJECTS)
"""What may differ from shard to shard, or is compared in another way."""
_HARMLESS = frozenset({"shard", "executor", "jobs", "max_cost_usd", "keep", "fresh"})
"""The settings that change no trial."""
_SHOWN = 3
"""How many differences of two runs a message tells."""


class _Settings(NamedTuple):
    arms: tuple[str, ...]
    trials: int


class _Choice(NamedTuple):
    averaged: bool


class _Eval(NamedTuple):
    digest: str


class _Task(NamedTuple):
    digest: str
    layout: str
    category: str
    difficulty: str
    tags: tuple[str, ...]
    skills: tuple[str, ...]


class _Told(NamedTuple):
    """What run.json must say so that a run can be merged."""

    settings: _Settings
    tasks: dict[str, _Eval]
    task_set: str
    commands: tuple[str, ...]
    commit: str | None
    dirty: bool | None


class _ToldOfTasks(NamedTuple):
    """What it must say beside of a benchmark."""

    choice: _Choice
    tasks: dict[str, _Task]


class Merged(NamedTuple):
    """The report on a merged run, the exit status that its trials ask for, and what the user should know beside."""

    report: Report
    status: int
    warnings: tuple[str, ...]


def merge(config: Config, names: Sequence[str]) -> Merged:
    """Write the run that some shards make, and report on it; `names` are of runs, or folders of runs.

    Raises UsageError, with all that stands against it, where they aren't all the shards of one run as they were left,
    and SkillcheckError where it can't be written; then nothing is left of it.
    """
    paths, faults = _found(config, names)
    there = sorted((runs.whole(config, path) for path in paths), key=lambda run: run.shard)
    parts, early = _without_early(there)
    faults += [*(fault for run in parts for fault in _own_faults(run)), *_common_faults(parts)]
    if faults:
        message = f"nothing is merged: {'; '.join(dict.fromkeys(faults))}"
        raise UsageError(message)
    target = _written(config, parts)
    lacking = tuple(
        f"{count} of the {_planned(run)} trials of shard {run.shard[0]}/{run.shard[1]}, run {run.name}, were not run"
        for run in parts
        if (count := _planned(run) - len(run.trials))
    )
    records = [record for run in parts for record in run.records]
    status = SkillcheckError.exit_status if lacking else summary.status(records)
    return Merged(runs.shown(config, target.name), status, (*early, *lacking))


def _found(config: Config, names: Iterable[str]) -> tuple[list[Path], list[str]]:
    """The folders of the runs, each once, and messages on names that lead to none."""
    found: dict[Path, None] = {}
    faults = []
    for name in names:
        inside = Store(Path(os.path.abspath(name)), bytes).runs() if os.sep in name else ()  # noqa: PTH100 - links stay as they are
        try:
            found |= dict.fromkeys(inside or (runs.find(config, name),))
        except UsageError as error:
            faults.append(str(error))
    return list(found), faults


def _without_early(found: Sequence[Run]) -> tuple[list[Run], list[str]]:
    """The runs but for those that ended early where another did the whole shard, and a line on each of these."""
    early = [run for run in found if _ended_early(run)]
    done = {run.shard: run.name for run in found if run not in early and not any(_own_faults(run))}
    rest = [run for run in found if run not in early or run.shard not in done]
    return rest, [
        f"run {run.name} is left out: it ended early, and {done[run.shard]} did the whole shard"
        for run in early
        if run.shard in done
    ]


def _ended_early(run: Run) -> bool:
    """Whether a run was killed, or has done less than it was to do."""
    try:
        is_short = len(run.trials) < _planned(run)
    except SkillcheckError:
        return False
    return not (run.path / DIGESTS).exists() or (is_short and not runs.damage(run))


def _planned(run: Run) -> int:
    """How many trials it was to do."""
    told: _Told = loaded(run.path / RUN, _Told)
    return len(told.tasks) * len(told.settings.arms) * told.settings.trials


def _own_faults(run: Run) -> Iterator[str]:
    """What keeps a run from being a part of any other."""
    yield from run.faults
    if not run.about:
        return
    try:
        if "choice" in run.about:
            loaded(run.path / RUN, _ToldOfTasks)
        yield from _strays(run, loaded(run.path / RUN, _Told))
        _, wrong = chains.checked(run.path)
    except SkillcheckError as error:
        yield str(error)
    else:
        if wrong:
            yield f"run {run.name} {wrong}: see `skillcheck verify`"
    if run.parts:
        yield f"run {run.name} is merged already"
    elif run.shard == (1, 1):
        yield f"run {run.name} is no shard: it was made without --shard"


def _strays(run: Run, told: _Told) -> Iterator[str]:
    """The trials that a run can't have by what its run.json says."""
    for folder, record in run.trials:
        known = record.eval in told.tasks or f"{record.skill}/{record.eval}" in told.tasks
        if not known or record.arm not in told.settings.arms or not 1 <= record.trial <= told.settings.trials:
            yield f"{folder} is no trial that {RUN} tells of"


def _common_faults(parts: Sequence[Run]) -> Iterator[str]:
    """What keeps shards from being all the parts of one run."""
    by_parts: dict[int, dict[int, list[Run]]] = defaultdict(lambda: defaultdict(list))
    shards = [run for run in parts if run.shard != (1, 1)]
    for run in shards:
        part, of = run.shard
        by_parts[of][part].append(run)
    for of, by_part in by_parts.items():
        for part, same in by_part.items():
            if len(same) > 1:
                yield f"shard {part}/{of} is there {len(same)} times: {', '.join(run.name for run in same)}"
        if len(by_parts) == 1 and len(by_part) < of:
            yield _missing(by_part, of)
        elif len(by_parts) == 1 and not any(run.trials for run in shards):
            yield "none of the shards has a trial"
    if len(by_parts) > 1:
        listed = ", ".join(f"{run.name} is {run.shard[0]}/{run.shard[1]}" for run in shards)
        yield f"the shards are of different numbers: {listed}"
    for run in shards[1:]:
        yield from _unlike(shards[0], run)


def _missing(there: Collection[int], of: int) -> str:
    lacking = islice((f"{part}/{of}" for part in range(1, of + 1) if part not in there), runs.SHOWN)
    *others, last = lacking
    more = of - len(there) - len(others) - 1
    if more:
        return f"shards {', '.join((*others, last))} and {more} more are missing"
    return f"shards {', '.join(others)} and {last} are missing" if others else f"shard {last} is missing"


def _unlike(base: Run, other: Run) -> Iterator[str]:
    """What two shards did differently that must be the same."""
    found = list(differences(_alike(base.about, other.about), _alike(other.about, base.about)))
    told = [f"{named(at)!r} ({shown_value(one)} and {shown_value(two)})" for at, one, two in found]
    if told:
        more = f" and {len(told) - _SHOWN} more" if len(told) > _SHOWN else ""
        yield f"runs {base.name} and {other.name} differ in {', '.join(told[:_SHOWN])}{more}"
    elif base.about.get("shard_of") != other.about.get("shard_of"):
        yield f"runs {base.name} and {other.name} are shards of different evals or tasks"


def _alike(about: About, other: About) -> dict[str, Any]:
    """What must be the same in the shards of a run; programs go by their names and content, wherever they lie."""
    programs, settings = about.get("programs", {}), about.get("settings", {})
    options = settings.get("options")
    told = {
        **{name: value for name, value in settings.items() if name not in _HARMLESS},
        "grader_command": _placeless(settings.get("grader_command"), programs),
    }
    if isinstance(options, dict):
        told["options"] = {name: _placeless(value, programs) for name, value in options.items()}
    return {
        **{name: value for name, value in about.items() if name not in _OF_A_SHARD},
        "settings": told,
        "programs": {os.path.basename(word): found for word, found in programs.items()},  # noqa: PTH119 - a word need not be a path
        **{kind: _shared(about, other, kind) for kind in _SUBJECTS},
    }


def _placeless(command: Any, programs: Mapping[str, Any]) -> Any:
    """A command without the folders of the files whose digests are known."""
    try:
        words = [command] if command in programs else shlex.split(command)
    except (AttributeError, TypeError, ValueError):
        return command
    return shlex.join(os.path.basename(word) if word in programs else word for word in words)  # noqa: PTH119 - see above


def _shared(about: About, other: About, kind: str) -> dict[str, Any]:
    """What run.json says of the subjects that the other run has too."""
    return {name: value for name, value in about.get(kind, {}).items() if name in other.get(kind, {})}


def _written(config: Config, parts: Sequence[Run]) -> Path:
    """The folder of the new run, whole and sealed."""
    store, about = store_of(config, {}), _about(parts)
    target = store.begin(datetime.now(UTC), about)
    try:
        copied = [
            (run, stored, store.copy(stored.folder, target, stored.record, as_it_is=True))
            for run in parts
            for stored in run.trials
        ]
        if "choice" in about:
            running.tabulate(target, about, _in_order(about, (stored.record for _, stored, _ in copied)))
        _seal(target, copied)
    except BaseException:
        shutil.rmtree(target, ignore_errors=True)
        raise
    return target


def _seal(target: Path, copied: Iterable[tuple[Run, Stored, Path]]) -> None:
    """Seal the new run, in which each trial must be what its own run was sealed with."""
    hindered = chains.seal(target)
    now = chains.read(target)
    if now is None:
        raise SkillcheckError("; ".join(hindered))
    sealed = {run.path: chains.read(run.path) for run, *_ in copied}
    for run, stored, place in copied:
        then, source = sealed[run.path], stored.folder.relative_to(run.path).as_posix()
        if then is None or then.below(source) != now.below(place.relative_to(target).as_posix()):
            message = f"{stored.folder} can't be merged: it was changed meanwhile, or holds what is no file"
            raise SkillcheckError(message)


def _in_order(about: About, records: Iterable[Record]) -> list[Record]:
    """The records of a benchmark as its plan has them."""
    arms = list(about["settings"]["arms"])
    return sorted(records, key=lambda record: (record.eval, arms.index(record.arm), record.trial))


def _about(parts: Sequence[Run]) -> dict[str, Any]:
    """What run.json of the whole run would have said, and which runs it was made of."""
    first, told = parts[0].about, [run.about for run in parts]
    joined = {kind: _joined(each.get(kind, {}) for each in told) for kind in (*_SUBJECTS, "programs") if kind in first}
    tasks = {name: task["digest"] for name, task in joined["tasks"].items()}
    return {
        **{name: value for name, value in first.items() if name != "shard_of"},
        **joined,
        "settings": {**first["settings"], "shard": [1, 1]},
        "task_set_digest": of_set(first["task_set"], tasks),
        "commands": sorted(set(chain.from_iterable(each["commands"] for each in told))),
        "dirty": any(each["dirty"] for each in told) if first["commit"] else first["dirty"],
        "merged": [run.name for run in parts],
    }


def _joined(mappings: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    return dict(sorted({name: value for each in mappings for name, value in each.items()}.items()))
