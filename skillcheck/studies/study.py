"""A study of one skill: all that two arms tell, from plain numbers to the verdict."""

from __future__ import annotations

from statistics import fmean
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from skillcheck.studies import cautions, paired, passk, planning
from skillcheck.studies.intervals import Interval, clustered_error, newcombe, wilson
from skillcheck.studies.level import DIGITS
from skillcheck.studies.several import benjamini_hochberg, holm
from skillcheck.studies.verdict import MARGIN, Verdict, verdict

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from skillcheck.studies.cautions import Expectation, Flag

REGRESSION = -0.5
"""The difference from which on a task counts as made worse, whatever the verdict."""
_NOTHING: Mapping[str, str] = MappingProxyType({})


class Arm(NamedTuple):
    """What was measured in one arm.

    `scores`: of each task's eligible trials, 0 to 1, maybe none. `errors`: trials that were left out, by class.
    `costs`: by measure (tokens, seconds, US dollars), what a trial of each task took on average; unknown ones are left
    out. `verdicts`: of each expectation, trial by trial.
    """

    scores: Mapping[str, Sequence[float]]
    errors: Mapping[str, int] = MappingProxyType({})
    costs: Mapping[str, Mapping[str, float]] = MappingProxyType({})
    verdicts: Mapping[Expectation, Sequence[bool]] = MappingProxyType({})


class Passes(NamedTuple):
    """The chance that any (`at`, pass@k) or all (`hat`, pass^k) of `k` tries pass, a mean over `tasks` tasks."""

    k: int
    at: float
    hat: float
    tasks: int


class Summary(NamedTuple):
    """One arm by itself, over all its tasks, paired or not.

    `trials`: eligible ones; `errors` and `lost`: those left out, by class and as a share of all. `mean`: of the tasks'
    mean scores. `error`: the clustered standard error of the mean over trials, the same mean where all tasks have as
    many; clusters are families where known, else tasks. `passes`: for each k that a task has the trials for. `wilson`:
    of the pass rate, only where no task has more than one trial.
    """

    trials: int
    errors: Mapping[str, int]
    lost: float
    mean: float | None
    error: float | None
    passes: tuple[Passes, ...]
    wilson: Interval | None


class TaskArm(NamedTuple):
    """One task in one arm: its mean score, and how many of its trials passed. `wilson`: of the pass rate."""

    mean: float | None
    passes: int
    trials: int
    wilson: Interval | None


class Task(NamedTuple):
    """One task. `delta`: treated minus control, None where an arm has no eligible trial. `flag`: of `cautions.flag`."""

    name: str
    treated: TaskArm
    control: TaskArm
    delta: float | None
    flag: Flag

    @property
    def regressed(self) -> bool:
        """Whether the treatment made it much worse."""
        return self.delta is not None and round(self.delta, DIGITS) <= REGRESSION


class Binary(NamedTuple):
    """Tasks with one trial in each arm: how many pass in both, one or none, McNemar's p and Newcombe's interval."""

    both: int
    treated: int
    control: int
    neither: int
    p: float
    interval: Interval | None


class Study(NamedTuple):
    """All that two arms tell.

    `tasks`: in order of name. `effect`: None without a paired task. `binary`: None unless each paired task has one
    trial in each arm. `gain`: normalised, see `paired.gain`. `ratios`: by measure, treated over control.
    `non_discriminating`: expectations that tell nothing. `unbalanced`: errors may have biased the comparison. `spread`:
    for planning the next study. `holm` and `benjamini_hochberg`: the p-value adjusted for the skills of one run; the
    verdict goes by Holm's.
    """

    treated: Summary
    control: Summary
    tasks: tuple[Task, ...]
    effect: paired.Effect | None
    binary: Binary | None
    gain: float | None
    ratios: Mapping[str, paired.Ratio]
    non_discriminating: tuple[Expectation, ...]
    unbalanced: bool
    spread: planning.Spread | None
    holm: float
    benjamini_hochberg: float
    margin: float
    verdict: Verdict

    @property
    def regressions(self) -> tuple[str, ...]:
        """The tasks that the treatment made much worse, by REGRESSION or more."""
        return tuple(task.name for task in self.tasks if task.regressed)

    @property
    def unpaired(self) -> tuple[str, ...]:
        """The tasks without an eligible trial in one arm or both; the effect leaves them out."""
        return tuple(task.name for task in self.tasks if task.delta is None)

    def flagged(self, flag: Flag) -> tuple[str, ...]:
        """The tasks with a flag of `cautions.flag`."""
        return tuple(task.name for task in self.tasks if task.flag == flag)


def study(
    treated: Arm,
    control: Arm,
    *,
    families: Mapping[str, str] = _NOTHING,
    passing: float = 1.0,
    ks: Sequence[int] = (1, 2, 3),
    margin: float = MARGIN,
) -> Study:
    """Compare two arms.

    `families` names what some tasks share, such as a fixture. A trial passes with a score of `passing` or more; for
    any reward at all it is the smallest float above 0. `margin` is the size of an effect of no account.
    """
    names = sorted({*treated.scores, *control.scores})
    tasks = tuple(_task(name, treated.scores.get(name, ()), control.scores.get(name, ()), passing) for name in names)
    differences = {task.name: task.delta for task in tasks if task.delta is not None}
    effect = paired.effect(differences, families)
    p = effect.p if effect else 1.0
    first, second = (_summary(arm, families, passing, ks) for arm in (treated, control))
    return Study(
        treated=first,
        control=second,
        tasks=tasks,
        effect=effect,
        binary=_binary(tasks),
        gain=_gain(tasks),
        ratios=_ratios(treated, control, differences),
        non_discriminating=cautions.non_discriminating(treated.verdicts, control.verdicts),
        unbalanced=cautions.unbalanced(first.lost, second.lost),
        spread=planning.spread(
            [treated.scores[name] for name in differences], [control.scores[name] for name in differences]
        ),
        holm=p,
        benjamini_hochberg=p,
        margin=margin,
        verdict=verdict(effect, p, margin),
    )


def together(studies: Mapping[str, Study]) -> dict[str, Study]:
    """The studies of one run, by skill, with p-values and verdicts adjusted for their number.

    A study without an effect tests nothing and does not count.
    """
    effects = {name: each.effect for name, each in studies.items() if each.effect}
    values = [effect.p for effect in effects.values()]
    adjusted = dict(studies)
    for (name, effect), strict, lenient in zip(effects.items(), holm(values), benjamini_hochberg(values), strict=True):
        found = verdict(effect, strict, studies[name].margin)
        adjusted[name] = studies[name]._replace(holm=strict, benjamini_hochberg=lenient, verdict=found)
    return adjusted


def _task(name: str, treated: Sequence[float], control: Sequence[float], passing: float) -> Task:
    return Task(
        name,
        _task_arm(treated, passing),
        _task_arm(control, passing),
        delta=fmean(treated) - fmean(control) if treated and control else None,
        flag=cautions.flag(*([score >= passing for score in scores] for scores in (treated, control))),
    )


def _task_arm(scores: Sequence[float], passing: float) -> TaskArm:
    trials, passes = len(scores), sum(score >= passing for score in scores)
    return TaskArm(fmean(scores) if scores else None, passes, trials, wilson(passes, trials))


def _summary(arm: Arm, families: Mapping[str, str], passing: float, ks: Sequence[int]) -> Summary:
    tried = {task: scores for task, scores in arm.scores.items() if scores}
    counts = [(len(scores), sum(score >= passing for score in scores)) for scores in tried.values()]
    trials = sum(count for count, _ in counts)
    single = trials == len(counts)
    return Summary(
        trials=trials,
        errors=arm.errors,
        lost=cautions.lost(sum(arm.errors.values()), trials),
        mean=fmean(fmean(scores) for scores in tried.values()) if tried else None,
        error=clustered_error(paired.by_family(tried.items(), families)),
        passes=tuple(filter(None, (passes(counts, k) for k in ks))),
        wilson=wilson(sum(passes for _, passes in counts), trials) if single else None,
    )


def passes(counts: Sequence[tuple[int, int]], k: int) -> Passes | None:
    """Of tasks given as (trials, passes), what k tries are worth; None where none has k trials."""
    at, hat = (
        [share for each in counts if (share := chance(*each, k)) is not None]
        for chance in (passk.pass_at_k, passk.pass_hat_k)
    )
    return Passes(k, fmean(at), fmean(hat), len(at)) if at else None


def _binary(tasks: Sequence[Task]) -> Binary | None:
    """From the paired tasks; a single score other than 0 and 1 is not binary either."""
    arms = [(task.treated, task.control) for task in tasks if task.delta is not None]
    if not arms or any(arm.trials > 1 or arm.mean not in {0, 1} for pair in arms for arm in pair):
        return None
    outcomes = [(one.mean, other.mean) for one, other in arms]
    both, treated, control, neither = (outcomes.count(each) for each in ((1, 1), (1, 0), (0, 1), (0, 0)))
    interval = newcombe(both, treated, control, neither)
    return Binary(both, treated, control, neither, paired.mcnemar(treated, control), interval)


def _gain(tasks: Sequence[Task]) -> float | None:
    """Over the paired tasks."""
    means = [
        (task.treated.mean, task.control.mean)
        for task in tasks
        if task.treated.mean is not None and task.control.mean is not None
    ]
    return paired.gain(*(fmean(arm) for arm in zip(*means, strict=True))) if means else None


def _ratios(treated: Arm, control: Arm, tasks: Collection[str]) -> dict[str, paired.Ratio]:
    """Of each measure that both arms have, over the paired tasks."""
    found = {
        measure: paired.ratio({task: taken for task, taken in costs.items() if task in tasks}, control.costs[measure])
        for measure, costs in treated.costs.items()
        if measure in control.costs
    }
    return {measure: ratio for measure, ratio in found.items() if ratio}
