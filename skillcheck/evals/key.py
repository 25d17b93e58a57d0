"""The key of a trial: the sha256 of all that could change its result, so that a stored one can be used again."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skillcheck import __version__
from skillcheck.evals import digest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from skillcheck.catalog.cases import CaseFile, Eval
    from skillcheck.catalog.skill import Skill
    from skillcheck.evals.harness import Launch
    from skillcheck.evals.plan import Plan

VERSION = 1
"""Raised when a stored trial of before means something else, so that none is reused."""
_DECISIVE = ("model", "delivery", "timeout_s", "idle_s", "votes", "grader_timeout_s", "timeouts_fail")
"""The settings that can change a result."""


def of(plan: Plan, skill: Skill, file: CaseFile, case: Eval, of_tree: Callable[[Path], str]) -> Iterator[str]:
    """The keys of an eval's trials, in hex; `of_tree` is `digest.of_tree`, or one that remembers."""
    whole = _of_eval(plan, skill, file, case, of_tree)
    for trial in range(1, plan.settings.trials + 1):
        yield digest.of_value([whole, trial])


def _of_eval(plan: Plan, skill: Skill, file: CaseFile, case: Eval, of_tree: Callable[[Path], str]) -> str:
    settings = plan.settings
    return digest.of_value({
        "key_version": VERSION,
        "skillcheck": __version__,
        "harness": [plan.harness.name, plan.machine.version],
        "command": _command(plan.launch(case)),
        "programs": {word: of_tree(Path(word)) for word in _programs(settings.options.get("agent-command", ""))},
        "settings": {name: getattr(settings, name) for name in _DECISIVE},
        "sandbox": plan.sandbox.kind,
        "environment": {name: plan.environ.get(name, "") for name in settings.env},
        "judge": [plan.judge.name, settings.grader_model, settings.grader_command] if plan.judge else [],
        "judge_programs": {word: of_tree(Path(word)) for word in _programs(settings.grader_command)},
        "skill": [skill.name, of_tree(skill.path.parent)],
        "case": file.located.value["evals"][case.at[-1]],
        "fixtures": {name: of_tree(plan.catalog.fixtures / name) for name in sorted(set(fixtures(case)))},
    })  # fmt: skip


def fixtures(case: Eval) -> Iterator[str]:
    """The folders or files directly below fixtures/ that an eval draws from."""
    scripts = (check["path"] for check in case.checks if check["type"] == "script" and "path" in check)
    for path in (*case.files, case.solution, *scripts):
        if path:
            yield path.partition("/")[0]


def _command(launch: Launch) -> list[Any]:
    given = launch.stdin.decode("utf-8", "surrogateescape")
    return [list(launch.argv), dict(launch.env), dict(launch.files), given]


def _programs(command: str) -> Iterator[str]:
    """The files that a command of the user's own names: a script has no version but its text."""
    for word in shlex.split(command):
        if os.path.isfile(word):  # noqa: PTH113 - a word need not be a path at all
            yield word
