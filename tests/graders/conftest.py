"""A workspace to look at, and what a run left behind."""

import os

import pytest

from skillcheck import process
from skillcheck.evals.grader import Evidence
from skillcheck.evals.plan.checks import run
from skillcheck.evals.trace.trace import SkillLoaded, ToolCall, Trace


@pytest.fixture
def work(tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


@pytest.fixture
def fixtures(tmp_path):
    folder = tmp_path / "fixtures"
    folder.mkdir()
    return folder


@pytest.fixture
def judge(work, fixtures):
    """Make one check of the workspace; returns whether it passed (None: no verdict) and why."""

    def judged(check, changed=None, calls=(), loaded=()):
        events = [ToolCall(str(n), name, given) for n, (name, given) in enumerate(calls)]
        trace = Trace.of([*events, *map(SkillLoaded, loaded)])

        def start(argv, stdin, timeout_s):
            return process.run(argv, cwd=work, stdin=stdin, timeout_s=timeout_s)

        (result,) = run([check], Evidence(work, fixtures, changed or {}, trace, "tidy-notes", start))
        if result.grade is None:
            return None, result.problem
        assert result.problem == ""
        return result.grade.passed, result.grade.reason

    return judged


@pytest.fixture
def odd(work, tmp_path):
    """What is no file: a folder, a pipe, links that lead nowhere, round, out, and out by their folder."""
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key").write_text("hunter2", "utf-8")
    (work / "folder").mkdir()
    os.mkfifo(work / "pipe")
    for name, target in {
        "dangling": "gone",
        "loop": "loop",
        "out": str(secret / "key"),
        "way": "../secret",
        "device": "/dev/zero",
    }.items():
        (work / name).symlink_to(target)
    return {
        "folder": "'folder' is a folder",
        "pipe": "'pipe' is neither a file nor a folder",
        "dangling": "'dangling' is a link to nothing",
        "loop": "'loop' is a link to nothing",
        "out": "'out' is a link that leads outside",
        "way/key": "'way/key' is a link that leads outside",
        "device": "'device' is a link that leads outside",
    }
