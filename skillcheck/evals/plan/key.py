"""The key of a trial: the sha256 of all that could change its result, so that a stored one can be used again."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skillcheck import __version__
from skillcheck.evals.plan import checks
from skillcheck.evals.workspace import arm as arms
from skillcheck.evals.workspace import digest
from skillcheck.evals.workspace.workspace import NOT_STAGED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from skillcheck.catalog.cases import CaseFile, Eval
    from skillcheck.catalog.skill import Skill
    from skillcheck.evals.harness import Launch
    from skillcheck.evals.plan.crew import Crew
    from skillcheck.evals.plan.plan import Plan, Spec

    OfTree = Callable[..., str]

VERSION = 1
"""Raised when a stored trial of before means something else, so that none is reused."""
LABELS = frozenset({"core", "difficulty", "category", "tags"})
"""The fields of an eval that say what it is among others; the rest, acceptance too, says what is asked and judged."""
_DECISIVE = ("model", "delivery", "timeout_s", "idle_s", "timeouts_fail")
"""The settings that can change what an agent does."""
_COMMANDS = ("agent-command", "override")
"""The options that name programs of the user's."""
_HALF = 32


def of(
    plan: Plan, skill: Skill, file: CaseFile, case: Eval, arm: str, of_tree: OfTree = digest.of_tree
) -> Iterator[str]:
    """The keys of an eval's trials, in hex: half of each is of the agent's work, half of the grade.

    `of_tree` may be one that remembers, since evals share skills and fixtures.
    """
    work, grade = _work(plan, skill, case, arm, of_tree), _grade(plan, file, case, of_tree)
    for trial in range(1, plan.settings.trials + 1):
        yield digest.of_value([work, trial])[:_HALF] + grade


def of_task(plan: Plan, spec: Spec, of_tree: OfTree = digest.of_tree) -> str:
    """The digest of what an eval asks and is graded by: its entry in the case file, and its fixtures."""
    return digest.PREFIX + digest.of_value(_task(plan, spec.file, spec.case, of_tree))


def regraded(old: str, plan: Plan, spec: Spec) -> str:
    """The key of a trial that has a new grade: the work is still that of before."""
    return old[:_HALF] + _grade(plan, spec.file, spec.case, digest.of_tree)


def of_grade(whole: str) -> str:
    """The half of a key that two trials share whose eval, fixtures, grader and version of skillcheck are the same."""
    return whole[_HALF:]


def _work(plan: Plan, skill: Skill, case: Eval, arm: str, of_tree: OfTree) -> str:
    return digest.of_value({
        **agent(plan, plan.launch(case)),
        "arm": [arm, _staged(plan, skill, arm, of_tree)],
        "skill": skill.name,
        "prompt": plan.prompt(case),
        "files": case.files,
        "fixtures": _fixtures(plan, case, of_tree),
    })  # fmt: skip


def agent(crew: Crew, launch: Launch) -> dict[str, Any]:
    """All of an agent that could change what it does, as plain JSON."""
    settings = crew.settings
    trace = settings.options.get("trace", "")
    return {
        "key_version": VERSION,
        "skillcheck": __version__,
        "harness": [crew.harness.name, crew.machine.version],
        "command": _command(launch),
        "programs": [_programs(settings.options.get(name, ""), crew.environ) for name in _COMMANDS],
        "trace": digest.of_tree(Path(trace)) if trace else "",
        "settings": {name: getattr(settings, name) for name in _DECISIVE},
        "sandbox": crew.sandbox.kind,
        "environment": {name: crew.environ.get(name, "") for name in (*crew.harness.passes, *settings.env)},
    }


def programs(crew: Crew) -> dict[str, str]:
    """The digests of the files that the user's own commands name, and of a stored stream, by what they are called."""
    options = crew.settings.options
    commands = (*(options.get(name, "") for name in _COMMANDS), crew.settings.grader_command)
    found = {word: each for command in commands for word, each in _programs(command, crew.environ).items()}
    trace = options.get("trace", "")
    return {**found, **({trace: digest.of_tree(Path(trace))} if trace else {})}


def _staged(plan: Plan, skill: Skill, arm: str, of_tree: OfTree) -> dict[str, str]:
    staged = arms.named(arm).stage((skill.path.parent,), plan.others(skill), plan.harness.skills_dir)
    return {each.at: of_tree(each.source, NOT_STAGED) for each in staged}


def _grade(plan: Plan, file: CaseFile, case: Eval, of_tree: OfTree) -> str:
    return digest.of_value({
        "key_version": VERSION,
        "skillcheck": __version__,
        **_task(plan, file, case, of_tree),
        "judge": _judge(plan) if case.judged else [],
    })[:_HALF]  # fmt: skip


def _task(plan: Plan, file: CaseFile, case: Eval, of_tree: OfTree) -> dict[str, Any]:
    """What an eval is, without what it is listed by, which changes no trial."""
    entry = file.located.value["evals"][case.at[-1]]
    return {
        "case": {name: value for name, value in entry.items() if name not in LABELS},
        "fixtures": _fixtures(plan, case, of_tree),
    }


def _judge(plan: Plan) -> list[Any]:
    settings = plan.settings
    asked = [settings.grader_model, settings.grader_command, settings.votes, settings.grader_timeout_s]
    return [plan.judge.name, *asked, _programs(settings.grader_command, plan.environ)] if plan.judge else []


def _fixtures(plan: Plan, case: Eval, of_tree: OfTree) -> dict[str, str]:
    return {name: of_tree(plan.catalog.fixtures / name) for name in sorted(set(fixtures(case)))}


def fixtures(case: Eval) -> Iterator[str]:
    """The folders or files directly below fixtures/ that an eval draws from."""
    scripts = (check[option] for check in case.checks for option in checks.programs(check))
    for path in (*case.files, case.solution, *scripts):
        if path:
            yield path.partition("/")[0]


def _command(launch: Launch) -> list[Any]:
    """Our own agent runs in our own interpreter, wherever that lies."""
    given = launch.stdin.decode("utf-8", "surrogateescape")
    argv = ["python" if word == sys.executable else word for word in launch.argv]
    return [argv, dict(launch.env), dict(launch.files), given]


def _programs(command: str, environ: Mapping[str, str]) -> dict[str, str]:
    """The files that a command of the user's own names, with their digests: a script has no version but its text."""
    program, *words = shlex.split(command) or [""]
    found = {program: shutil.which(program, path=environ.get("PATH")) or program, **{word: word for word in words}}
    return {word: digest.of_tree(Path(path)) for word, path in found.items() if os.path.isfile(path)}  # noqa: PTH113 - a word need not be a path at all
