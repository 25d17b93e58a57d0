"""Experiments as commands see them: from the trials of two arms to what a skill adds, task by task and in all."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from statistics import fmean
from typing import TYPE_CHECKING, Any

from skillcheck.evals.workspace.arm import TREATED
from skillcheck.report import Report, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from skillcheck.evals.running.runner import Planned
    from skillcheck.evals.store.record import Judged, Record
    from skillcheck.studies.study import Arm, Study, Summary, Task, TaskArm

Name = tuple[str, str]
"""A skill, and the arm that it is compared with."""


def studies(records: Iterable[Record]) -> Mapping[Name, Study]:
    """What the skill adds, by skill and by the arm that is compared with; p-values are adjusted for the skills."""
    from skillcheck.studies.study import study, together  # noqa: PLC0415 - loads scipy

    by_skill = grouped(records, lambda record: record.skill)
    found: dict[Name, Study] = {}
    for other in dict.fromkeys(record.arm for group in by_skill.values() for record in group if record.arm != TREATED):
        pairs = {skill: tuple(arm(_of(group, name)) for name in (TREATED, other)) for skill, group in by_skill.items()}
        compared = together({skill: study(*pair) for skill, pair in pairs.items()})
        found |= {(skill, other): each for skill, each in compared.items()}
    return found


def told(records: Sequence[Record]) -> Report:
    """What the arms of a run tell, ready to be shown beside its trials; nothing where there is one arm."""
    found = studies(records) if any(record.arm != TREATED for record in records) else {}
    plain = tuple({"harness": records[0].harness, **each} for each in metrics(found))
    return Report(records={"studies": plain} if found else {}, tables=tables(found), summary=summary(found))


def grouped(records: Iterable[Record], of: Callable[[Record], str]) -> dict[str, list[Record]]:
    """Records by what `of` says of them, in its order."""
    return {name: list(group) for name, group in groupby(sorted(records, key=of), key=of)}


def _of(records: Iterable[Record], name: str) -> list[Record]:
    return [record for record in records if record.arm == name]


def arm(records: Iterable[Record]) -> Arm:
    """The numbers of one arm of a skill: errors are left out, and what tests how it was done is not counted."""
    from skillcheck.studies.study import Arm  # noqa: PLC0415 - see above

    tasks = grouped(records, lambda record: record.eval)
    graded = {task: [record for record in group if record.status != "error"] for task, group in tasks.items()}
    errors = Counter(record.how for group in tasks.values() for record in group if record.status == "error")
    measures: Mapping[str, Callable[[Record], float | None]] = {
        "tokens": lambda record: record.usage.total if record.usage else None,
        "seconds": lambda record: record.seconds,
        "US dollars": lambda record: record.cost_usd,
    }
    return Arm(
        scores={task: tuple(_score(record) for record in group) for task, group in graded.items()},
        errors=errors,
        costs={measure: dict(_means(graded, of)) for measure, of in measures.items()},
        verdicts={
            (task, each.text): tuple(verdicts) for task, group in graded.items() for each, verdicts in _verdicts(group)
        },
    )


def _score(record: Record) -> float:
    """1 where all holds that the task asks for, else 0; a trial without such a verdict counts by its status."""
    outcomes = [each.passed for each in _outcomes(record)]
    return float(all(outcomes)) if outcomes else float(record.status == "passed")


def _outcomes(record: Record) -> tuple[Judged, ...]:
    return tuple(each for each in record.grading.decisive if not each.process)


def _verdicts(records: Sequence[Record]) -> Iterator[tuple[Judged, tuple[bool, ...]]]:
    for same in zip(*(_outcomes(record) for record in records), strict=False):
        yield same[0], tuple(each.passed for each in same)


def _means(graded: Mapping[str, Sequence[Record]], of: Callable[[Record], float | None]) -> Iterator[tuple[str, float]]:
    for task, group in graded.items():
        known = [amount for record in group if (amount := of(record)) is not None]
        if known:
            yield task, fmean(known)


def tables(found: Mapping[Name, Study]) -> tuple[Table, ...]:
    """One table a skill and control: its tasks."""
    return tuple(_table(*name, study) for name, study in found.items())


def _table(skill: str, other: str, study: Study) -> Table:
    rows = tuple(map(_row, study.tasks))
    return Table(f"{skill}: {TREATED} against {other}", ("eval", TREATED, other, "difference", ""), rows)


def _row(task: Task) -> tuple[str, ...]:
    return task.name, _rate(task.treated), _rate(task.control), _signed(task.delta), _remark(task)


def _rate(arm: TaskArm) -> str:
    return f"{arm.passes} of {arm.trials}" if arm.trials else "n/a"


def _signed(delta: float | None) -> str:
    return "n/a" if delta is None else f"{delta:+.2f}"


def _remark(task: Task) -> str:
    return ", ".join(filter(None, ("regression" if task.regressed else "", task.flag)))


def summary(found: Mapping[Name, Study]) -> tuple[str, ...]:
    """The verdict on each skill, and the numbers behind it."""
    return tuple(line for name, study in found.items() for line in _lines(*name, study))


def _lines(skill: str, other: str, study: Study) -> Iterator[str]:
    found = study.verdict
    hint = "; suggestive, not established" if found.suggestive else ""
    yield f"{skill} against {other}: {found.word} ({found.reason}{hint})"
    effect = study.effect
    if effect:
        interval = f", 95 % interval {effect.t.low:+.2f} to {effect.t.high:+.2f}" if effect.t else ""
        yield (
            f"  difference {effect.delta:+.3f}{interval}, p {study.holm:.4f}"
            f"; {effect.wins} better, {effect.losses} worse, {effect.ties} equal"
        )
    gain = "" if study.gain is None else f"; normalised gain {study.gain:+.2f}"
    yield f"  {TREATED}: {_arm_line(study.treated)}; {other}: {_arm_line(study.control)}{gain}"
    if study.ratios:
        ratios = ", ".join(f"{measure} x {ratio.ratio:.2f}" for measure, ratio in study.ratios.items())
        yield f"  cost of the skill: {ratios}"
    yield from _cautions(study)


def _arm_line(arm: Summary) -> str:
    mean = "n/a" if arm.mean is None else f"{arm.mean:.1%}"
    lost = f", {sum(arm.errors.values())} errors left out" if arm.errors else ""
    return f"{mean} of {arm.trials} trials{lost}"


def _cautions(study: Study) -> Iterator[str]:
    if study.regressions:
        yield f"  made worse: {', '.join(study.regressions)}"
    if study.unbalanced:
        yield "  unbalanced: an arm lost more than 10 % of its trials to errors, so that the comparison may be biased"
    if study.unpaired:
        yield f"  left out, since an arm has no graded trial: {', '.join(study.unpaired)}"
    for flag, meaning in (("saturated", "passed by both arms every time"), ("too hard", "passed by no arm ever")):
        tasks = study.flagged(flag)  # type: ignore[arg-type]
        if tasks:
            yield f"  {flag}, {meaning}: {', '.join(tasks)}"
    if study.non_discriminating:
        told = "; ".join(f"eval {task}: {text}" for task, text in study.non_discriminating)
        yield f"  same verdict in both arms every time: {told}"


def metrics(found: Mapping[Name, Study]) -> list[dict[str, Any]]:
    """All numbers as plain JSON, one object a skill and control."""
    return [{"skill": skill, "against": other, **plain(study)} for (skill, other), study in found.items()]


def plain(value: Any) -> Any:
    """A study, or a part of one, as JSON's objects and lists."""
    if hasattr(value, "_asdict"):
        return {name: plain(each) for name, each in value._asdict().items()}
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    if hasattr(value, "items"):
        return {name: plain(each) for name, each in value.items()}
    return value


def forecast(specs: Iterable[Planned], trials: int) -> tuple[str, ...]:
    """What an experiment of this size could find, told before anything is spent."""
    from skillcheck.studies.level import NEEDED  # noqa: PLC0415 - loads scipy
    from skillcheck.studies.planning import ASSUMED, POWER, least_effect  # noqa: PLC0415 - see above

    tasks = Counter(spec.names[0] for spec in specs if spec.arm == TREATED and spec.trial == 1)
    lines = []
    for skill, count in tasks.items():
        least = least_effect(count, ASSUMED, trials)
        found = f"a difference of {least:.2f} or more" if least <= 1 else "no difference at all"
        few = f"; fewer than {NEEDED} can establish nothing" if count < NEEDED else ""
        lines.append(
            f"{skill}: {count} task{'' if count == 1 else 's'} would show {found} in {POWER:.0%} of cases{few}"
        )
    return tuple(lines)
