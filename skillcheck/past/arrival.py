"""What of a skill reached the agent: listed, loaded, its files read."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from skillcheck.errors import SkillcheckError
from skillcheck.evals.store.store import trace_in
from skillcheck.evals.workspace import digest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from skillcheck.catalog.catalog import Catalog
    from skillcheck.evals.trace.trace import Trace
    from skillcheck.past.runs import Run


class Arrival(NamedTuple):
    """What the trials of one skill in one run show.

    `trials`: those whose trace can be read. `listed`: how many of the `telling` ones, whose agent tells what it was
    offered, were offered the skill. `loaded`: how many loaded it by themselves; None where no output shows that.
    `read`: by file, how many have a tool call that names it; None where the skill isn't any more the one that was run.
    """

    trials: int
    telling: int
    listed: int
    loaded: int | None
    read: dict[str, int] | None


def known_loads(loads: Iterable[bool | None]) -> int | None:
    """How many trials loaded a skill; None where there are some and none shows it."""
    loads = tuple(loads)
    known = [each for each in loads if each is not None]
    return sum(known) if known or not loads else None


def arrival(catalog: Catalog, run: Run, skill: str) -> Arrival:
    """What the stored traces show of a skill in a run."""
    found, loads = [], []
    for stored in run.trials:
        if stored.record.skill == skill:
            try:
                found.append(trace_in(stored.folder))
                loads.append(stored.record.loaded)
            except SkillcheckError:  # what can't be read shows nothing
                continue
    files = references(catalog, run, skill)
    telling = [trace.skills for trace in found if trace.skills is not None]
    return Arrival(
        len(found),
        len(telling),
        sum(skill in skills for skills in telling),
        known_loads(loads),
        None if files is None else {file: sum(file in named(trace, files) for trace in found) for file in files},
    )


def references(catalog: Catalog, run: Run, skill: str) -> tuple[str, ...] | None:
    """The files that a SKILL.md names, by path in the skill's folder; None where the folder isn't as it was run."""
    for each in catalog.names.get(skill, ()):
        folder = each.path.parent
        if digest.of_tree(folder) == run.about.get("skills", {}).get(skill):
            files = catalog.files.tree(folder, lambda _: False)
            return tuple(file for file in files if file != each.path.name and file in each.text)
    return None


def named(trace: Trace, files: Sequence[str]) -> Collection[str]:
    """The files whose name stands in the input of some tool call; one that a pattern covers is not seen."""
    said = "\n".join(json.dumps(dict(call.input), ensure_ascii=False) for call in trace.calls)
    return {file for file in files if re.search(rf"(?<![\w.-]){re.escape(file.rpartition('/')[2])}(?![\w-])", said)}
