"""Grade what an agent did: the deterministic checks first, then the expectations by a judge."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from skillcheck.evals.grading import rubric
from skillcheck.evals.judge import Question
from skillcheck.evals.plan import checks
from skillcheck.evals.store.record import Grading, Judged
from skillcheck.evals.trace.transcript import transcript

if TYPE_CHECKING:
    import threading
    from collections.abc import Mapping

    from skillcheck.catalog.cases import Eval
    from skillcheck.evals.grader import Evidence
    from skillcheck.evals.judge import Judge
    from skillcheck.evals.plan.settings import Settings


class Bench(NamedTuple):
    """Who grades, and how: `judge` is None where expectations are left alone; `stop` ends a judge that is asked."""

    judge: Judge | None
    settings: Settings
    environ: Mapping[str, str]
    stop: threading.Event | None = None


def grade(case: Eval, evidence: Evidence, state: str, bench: Bench) -> Grading:
    """All verdicts on a run; `state` is what the judge is shown of the workspace as the agent left it."""
    results = checks.run(case.checks, evidence)
    problems = [f"{result.label}: {result.problem}" for result in results if result.grade is None]
    verdicts = tuple(
        Judged(r.label, r.grade.passed, r.grade.reason, checks.is_process(r.type), checks.role(check))
        for check, r in zip(case.checks, results, strict=True)
        if r.grade is not None
    )
    judged = _judged(case, evidence, state, bench)
    problem = "; ".join((*problems, *([judged.problem] if judged.problem else ())))
    return judged._replace(checks=verdicts, problem=problem)


def still_judged(before: Grading, after: Grading, case: Eval) -> Grading:
    """A new grading without a judge, with the verdicts of an earlier one on the same expectations."""
    same = [(each.text, each.role) for each in before.expectations] == [each[:2] for each in case.judged]
    if after.judge or not same or not before.expectations:
        return after
    return before._replace(checks=after.checks, problem=after.problem)


def _judged(case: Eval, evidence: Evidence, state: str, bench: Bench) -> Grading:
    judged = case.judged
    if bench.judge is None or not judged:
        return Grading()
    settings = bench.settings
    texts = tuple(statement.text for statement in judged)
    subject = rubric.Subject(case.kind, case.prompt, case.expected_output, texts, state, transcript(evidence.trace))
    question = Question(
        "", {}, settings.grader_model, settings.grader_timeout_s, bench.environ, settings.grader_command, bench.stop
    )
    began = time.monotonic()
    found = rubric.grade(subject, bench.judge, question, settings.votes)
    return Grading(
        expectations=tuple(
            Judged(each.text, each.passed, each.evidence, role=statement.role)
            for statement, each in zip(judged, found.judgements, strict=False)
        ),
        problem=f"the grader {bench.judge.name} gave no usable answer: {found.problem}" if found.problem else "",
        raw=tuple(answer.text + answer.stderr for answer in found.answers),
        judge=bench.judge.name,
        model=found.answers[-1].model,
        usage=found.usage,
        cost_usd=found.cost_usd,
        seconds=time.monotonic() - began,
    )
