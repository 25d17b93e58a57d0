"""The fitness index of a skill: five scores of 0 to 100, their weighted total, and what follows from them.

Weights, thresholds and advice are those of the skill fitness index that compares skills across agent frameworks.
"""

from __future__ import annotations

from collections import Counter
from statistics import fmean
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

from skillcheck.studies.intervals import Interval, wilson
from skillcheck.studies.level import DIGITS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    Risk = Literal["low", "medium", "high", "unknown"]
    Robustness = Literal["admitted", "not admitted", "untested"]
    Confidence = Literal["high", "medium", "low", "none"]

WEIGHTS: Mapping[str, int] = MappingProxyType({
    "completeness": 40, "constraints": 20, "compatibility": 15, "stability": 15, "explanation": 10,
})  # fmt: skip
"""By score, in percent of the total where all are known."""
PURPOSES: Mapping[str, Mapping[str, int]] = MappingProxyType({
    "math": {**WEIGHTS, "completeness": 50, "compatibility": 5},
    "tool": {**WEIGHTS, "completeness": 30, "compatibility": 20, "stability": 20},
})  # fmt: skip
"""Other weights, by the tag of the tasks that they are for.

The index's scheduler weighs completeness more and compatibility less for maths, and for skills that drive tools
compatibility and stability more; by how much is our choice. The scores that it doesn't name keep their weights, but for
the completeness of tools, which pays for the other two.
"""
TOTAL, ROBUSTNESS = "total", "robustness"
"""What is known by name beside the scores that have a weight."""
GRADES = MappingProxyType({"clear": 1.0, "vague": 0.6, "missing": 0.0})
"""What an explanation is worth."""
REVIEW_SCORE, REVIEW_PASSES = 50, 60
"""Below such a score, or such a share of a task's trials in percent, somebody should look."""
ADMITTED = 60
"""The robustness from which a skill is admitted."""
RISKS: Mapping[Risk, int] = MappingProxyType({"high": 70, "medium": 90})
"""The stability below which the risk is so high."""
CONFIDENCE: Mapping[Confidence, int] = MappingProxyType({"high": 20, "medium": 40})
"""The width of the total's interval up to which the confidence is so high, in points."""


class Advice(NamedTuple):
    """What to do about a score, or about `robustness`, that is below `below`."""

    score: str
    below: int
    text: str


ADVICE = (
    Advice("completeness", 60, "split the work into steps, each with a result that can be checked"),
    Advice("constraints", 60, "check how strongly the constraints are worded: make the critical steps mandatory"),
    Advice("compatibility", 60, "mend what keeps agents from loading the skill before anything else"),
    Advice("stability", 70, "find what differs between trials: state outside the workspace, choices without a default"),
    Advice("explanation", 60, "add a template for the last message: steps done, problems, paths of the results"),
    Advice("robustness", 60, "say what to do with input that is missing, over-long or ambiguous"),
)
FOLLOW_IT = "{0} of {1} agents that were offered the skill never read it: say that it must be used, and when"


class Item(NamedTuple):
    """One observation: `value` is 0 to 1, `task` what it belongs to, `what` was seen and `where` it is kept.

    `by` is who did it, where several did: the trials of one are no repetition of another's.
    """

    task: str
    value: float
    what: str = ""
    where: str = ""
    by: str = ""

    @property
    def subject(self) -> str:
        """What was done, and by whom."""
        return f"{self.task} by {self.by}" if self.by else self.task


class Score(NamedTuple):
    """0 to 100, None where nothing was observed, and `missing` says why. `weight`: its percentage of the total.

    `interval`: 95 %, of as many observations as there are tasks, since what is observed in one task hangs together.
    The tasks of `compatibility` are the frameworks that tried to load the skill.
    """

    name: str
    value: float | None
    weight: float
    interval: Interval | None
    items: tuple[Item, ...]
    missing: str = ""

    @property
    def tasks(self) -> int:
        """How many tasks were observed."""
        return len({item.task for item in self.items})


class Fitness(NamedTuple):
    """The index. `total` is over the scores that there are, None without any; `interval` is where all are at its end.

    `review`: why somebody should look, if anything. `risk` goes by stability alone, whatever the total. `robustness`:
    the score of edge cases, which decides on `admission`.
    """

    total: float | None
    interval: Interval | None
    confidence: Confidence
    purpose: str
    scores: tuple[Score, ...]
    review: tuple[str, ...]
    risk: Risk
    robustness: Score
    admission: Robustness
    advice: tuple[str, ...]

    @property
    def values(self) -> Mapping[str, float | None]:
        """The total and every score, robustness too, by name."""
        return {TOTAL: self.total, **{score.name: score.value for score in (*self.scores, self.robustness)}}


def fitness(
    observed: Mapping[str, Sequence[Item]],
    *,
    edge: Sequence[Item] = (),
    followed: Sequence[Item] = (),
    purpose: str = "",
) -> Fitness:
    """The index of what was observed, by the names of WEIGHTS.

    Of `stability`, whose items are trials, only tasks with several count. `compatibility` is the mean over its tasks,
    which are frameworks, however often each tried; where all failed, nothing else counts. `edge` are the trials of edge
    cases; `followed` those that could have passed the skill over. `purpose` is one of PURPOSES or empty.
    """
    scores = _weighed([_score(name, items) for name, items in _counted(observed).items()], purpose)
    by_name = {score.name: score for score in scores}
    robustness = _score(ROBUSTNESS, edge)._replace(missing="" if edge else "no edge case was graded")
    interval = _total_interval(scores)
    return Fitness(
        total=_total([(score.weight, score.value) for score in scores]),
        interval=interval,
        confidence=_confidence(interval),
        purpose=purpose,
        scores=scores,
        review=tuple(_review(scores)),
        risk=_risk(by_name["stability"].value),
        robustness=robustness,
        admission=_admission(robustness.value),
        advice=tuple(_advice({**by_name, ROBUSTNESS: robustness}, followed)),
    )


def purpose_of(tags: Sequence[Collection[str]]) -> str:
    """What a skill is for, by the tags of its tasks: that of PURPOSES which at least half of them bear, or nothing.

    Where two are borne alike, it is the first of PURPOSES.
    """
    counts = {purpose: sum(purpose in each for each in tags) for purpose in PURPOSES}
    best = max(counts, key=lambda purpose: counts[purpose])
    return best if counts[best] and counts[best] * 2 >= len(tags) else ""


def _counted(observed: Mapping[str, Sequence[Item]]) -> Mapping[str, Sequence[Item]]:
    loads = observed.get("compatibility", ())
    if loads and not any(item.value for item in loads):
        return {name: loads if name == "compatibility" else () for name in WEIGHTS}
    tried = Counter(item.subject for item in observed.get("stability", ()))
    repeated = [item for item in observed.get("stability", ()) if tried[item.subject] > 1]
    return {name: repeated if name == "stability" else observed.get(name, ()) for name in WEIGHTS}


def _score(name: str, items: Sequence[Item]) -> Score:
    if not items:
        return Score(name, None, 0.0, None, ())
    rate = fmean(_by_task(items)) if name == "compatibility" else fmean(item.value for item in items)
    tasks = len({item.task for item in items})
    return Score(name, _percent(rate), 0.0, _points(wilson(rate * tasks, tasks)), tuple(items))


def _by_task(items: Sequence[Item]) -> Iterator[float]:
    """The mean of each task."""
    for task in dict.fromkeys(item.task for item in items):
        yield fmean(item.value for item in items if item.task == task)


def _percent(share: float) -> float:
    return round(100 * share, DIGITS)


def _points(interval: Interval | None) -> Interval | None:
    return Interval(_percent(interval.low), _percent(interval.high)) if interval else None


_MISSING = {
    "completeness": "nothing that was done was graded",
    "constraints": "no constraint was graded",
    "compatibility": "no trial shows whether an agent loads the skill",
    "stability": "no task was graded more than once",
    "explanation": "nothing that an agent explained was graded",
}


def _weighed(scores: Sequence[Score], purpose: str) -> tuple[Score, ...]:
    weights = PURPOSES.get(purpose, WEIGHTS)
    skipped = any(score.name == "compatibility" and score.value == 0 for score in scores)
    whole = sum(weights[score.name] for score in scores if score.value is not None)
    return tuple(
        score._replace(missing="skipped, since no agent could load the skill" if skipped else _MISSING[score.name])
        if score.value is None
        else score._replace(weight=100 * weights[score.name] / whole)
        for score in scores
    )


def _total(parts: Sequence[tuple[float, float | None]]) -> float | None:
    known = [weight * value for weight, value in parts if value is not None]
    return round(sum(known) / 100, DIGITS) if known else None


def _total_interval(scores: Sequence[Score]) -> Interval | None:
    low = _total([(score.weight, score.interval and score.interval.low) for score in scores])
    high = _total([(score.weight, score.interval and score.interval.high) for score in scores])
    return None if low is None or high is None else Interval(low, high)


def _confidence(interval: Interval | None) -> Confidence:
    if interval is None:
        return "none"
    width = interval.high - interval.low
    return next((name for name, widest in CONFIDENCE.items() if width <= widest), "low")


def _review(scores: Sequence[Score]) -> Iterator[str]:
    for score in scores:
        if score.value is not None and score.value < REVIEW_SCORE:
            yield f"{score.name} {score.value:g} is below {REVIEW_SCORE}"
        if score.name == "stability":
            yield from _unsteady(score.items)


def _unsteady(trials: Sequence[Item]) -> Iterator[str]:
    for subject in dict.fromkeys(trial.subject for trial in trials):
        own = [trial.value for trial in trials if trial.subject == subject]
        if _percent(fmean(own)) < REVIEW_PASSES:
            yield f"{subject} passed {sum(own):g} of {len(own)} times, below {REVIEW_PASSES} %"


def _risk(stability: float | None) -> Risk:
    if stability is None:
        return "unknown"
    return next((name for name, below in RISKS.items() if stability < below), "low")


def _admission(robustness: float | None) -> Robustness:
    if robustness is None:
        return "untested"
    return "admitted" if robustness >= ADMITTED else "not admitted"


def _advice(scores: Mapping[str, Score], followed: Sequence[Item]) -> Iterator[str]:
    for advice in ADVICE:
        value = scores[advice.score].value
        if value is not None and value < advice.below:
            yield f"{advice.score} {value:g}: {advice.text}"
    past = sum(not item.value for item in followed)
    if past:
        yield FOLLOW_IT.format(past, len(followed))
