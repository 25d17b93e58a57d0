"""Where an agent's newest run is worse than its earlier ones make plausible."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from skillcheck.diagnostic import clipped
from skillcheck.evals.plan import key
from skillcheck.past.runs import origins

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from skillcheck.evals.store.record import Record
    from skillcheck.past.runs import Run
    from skillcheck.studies.exact import Counts

NOT_RUN = frozenset({"budget", "interrupted"})
"""The classes of trials that the user kept from being run, which tell nothing of the agent."""
DEAR = 1.25
"""A trial is dear that cost more than this many times the median of its eval's trials, new and old."""
_SHOWN = 80


class Agent(NamedTuple):
    """What stays the same over time: the agent, the model that was asked for (empty: its own choice), the delivery.

    Versions and the model that answers may change; that they do is what is watched.
    """

    harness: str
    model: str
    delivery: str

    @property
    def label(self) -> str:
        """As people read it."""
        return f"{self.harness} {self.model}".strip() + f", {self.delivery}"


class Batch(NamedTuple):
    """The trials of one run that were run in it, and not taken from an earlier one; `run` is its name."""

    run: str
    about: Mapping[str, Any]
    records: tuple[Record, ...]


class Dimension(NamedTuple):
    """Something that holds or doesn't in each trial, counted by eval in the newest run and before.

    `eval` is empty where it is all of a skill's, `skill` where it is all skills'; `text` is that of an expectation or
    check.
    """

    name: str
    tasks: tuple[Counts, ...]
    skill: str = ""
    eval: str = ""
    text: str = ""


class Alarm(NamedTuple):
    """A dimension in which an agent's newest run is worse; `p` is adjusted for all that was tested."""

    agent: Agent
    run: str
    dimension: Dimension
    p: float

    @property
    def new(self) -> tuple[int, int]:
        """How many trials of the newest run hold, and how many there are."""
        return sum(task.new_held for task in self.dimension.tasks), sum(task.new for task in self.dimension.tasks)

    @property
    def old(self) -> tuple[int, int]:
        """The same of the earlier ones."""
        return sum(task.old_held for task in self.dimension.tasks), sum(task.old for task in self.dimension.tasks)


def batches(runs: Iterable[Run]) -> dict[Agent, list[Batch]]:
    """The runs of each agent, in the given order, oldest first. What a run took from an earlier one counts once."""
    found: dict[Agent, list[Batch]] = {}
    seen: set[tuple[str, str]] = set()
    runs = tuple(runs)
    origin = origins(runs)
    for run in runs:
        fresh = [record for record in run.records if record.how not in NOT_RUN and origin(run, record) not in seen]
        seen.update(origin(run, record) for record in fresh)
        if fresh:
            agent = Agent(fresh[0].harness, run.about.get("model", ""), fresh[0].delivery)
            found.setdefault(agent, []).append(Batch(run.name, run.about, tuple(fresh)))
    return found


def dimensions(found: Sequence[Batch]) -> Iterator[Dimension]:
    """All that can be compared of an agent's newest run with its earlier ones.

    Trials are compared of one eval, where it, its fixtures, the grader and the version of skillcheck are the same.
    """
    *_, newest = found
    earlier = [record for batch in found[:-1] for record in batch.records]
    pairs = {name: _pair(group, earlier) for name, group in _by_eval(newest.records).items()}
    skills = tuple(dict.fromkeys(skill for skill, _ in pairs))
    for skill in skills:
        own = {name: pair for name, pair in pairs.items() if name[0] == skill}
        yield from _of_skill(skill, own.values())
        for (_, case), pair in own.items():
            yield Dimension(f"pass rate of eval {case} of {skill}", _counts([pair], _passed), skill, case)
            yield from _verdicts(skill, case, pair)
    if len(skills) > 1:
        yield Dimension("pass rate of all skills", _counts(pairs.values(), _passed))


Pair = tuple[list["Record"], list["Record"]]
"""New trials of an eval, and earlier ones that are like them."""


def _by_eval(records: Iterable[Record]) -> dict[tuple[str, str], list[Record]]:
    found: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        found.setdefault((record.skill, record.eval), []).append(record)
    return found


def _pair(new: list[Record], earlier: Iterable[Record]) -> Pair:
    def name(record: Record) -> tuple[str, str, str]:
        return record.skill, record.eval, key.of_grade(record.key)

    return new, [record for record in earlier if name(record) == name(new[0])]


def _of_skill(skill: str, pairs: Iterable[Pair]) -> Iterator[Dimension]:
    pairs = tuple(pairs)
    yield Dimension(f"pass rate of {skill}", _counts(pairs, _passed), skill)
    yield Dimension(f"share of trials of {skill} without an error", _counts(pairs, _graded), skill)
    yield Dimension(f"share of trials that loaded {skill}", _counts(pairs, _loaded), skill)
    yield Dimension(f"share of trials of {skill} that are not dear", tuple(_cheap(*pair) for pair in pairs), skill)


def _passed(record: Record) -> bool | None:
    return None if record.status == "error" else record.status == "passed"


def _graded(record: Record) -> bool | None:
    return record.status != "error"


def _loaded(record: Record) -> bool | None:
    """Where the agent had the choice."""
    is_asked = record.delivery == "native" and record.asks_model and record.status != "error"
    return record.loaded if is_asked else None


def _counts(pairs: Iterable[Pair], holds: Callable[[Record], bool | None]) -> tuple[Counts, ...]:
    return tuple(_counted(*([holds(record) for record in records] for records in pair)) for pair in pairs)


def _counted(new: Iterable[bool | None], old: Iterable[bool | None]) -> Counts:
    from skillcheck.studies.exact import Counts  # noqa: PLC0415 - loads scipy

    known = [[each for each in side if each is not None] for side in (new, old)]
    return Counts(*(count for side in known for count in (len(side), sum(side))))


def _cheap(new: Iterable[Record], old: Iterable[Record]) -> Counts:
    costs = [[record.cost_usd for record in side if record.status != "error"] for side in (new, old)]
    known = [[cost for cost in side if cost is not None] for side in costs]
    limit = DEAR * median([*known[0], *known[1]] or [0.0])
    return _counted(*([cost <= limit for cost in side] for side in known))


def _verdicts(skill: str, case: str, pair: Pair) -> Iterator[Dimension]:
    """One dimension for each expectation and check of an eval."""
    sides = [[_by_text(record) for record in records if record.status != "error"] for records in pair]
    for text in dict.fromkeys(text for verdicts in sides[0] for text in verdicts):
        counts = _counted(*([verdicts.get(text) for verdicts in side] for side in sides))
        yield Dimension(f"eval {case} of {skill}: {clipped(text, _SHOWN)!r}", (counts,), skill, case, text)


def _by_text(record: Record) -> dict[str, bool]:
    return {each.text: each.passed for each in (*record.grading.expectations, *record.grading.checks)}


def alarms(found: Mapping[Agent, Sequence[Batch]]) -> tuple[Alarm, ...]:
    """Where newest runs are worse than earlier ones, exactly tested; ALARM bounds the chance of any false alarm."""
    from skillcheck.studies import several  # noqa: PLC0415 - loads scipy
    from skillcheck.studies.exact import fall  # noqa: PLC0415 - see above
    from skillcheck.studies.level import ALARM  # noqa: PLC0415 - see above

    asked = [(agent, past[-1].run, each) for agent, past in found.items() for each in dimensions(past)]
    falls = several.found([fall(dimension.tasks) for _, _, dimension in asked], ALARM)
    return tuple(Alarm(*asked[index], p) for index, p in falls.items())
