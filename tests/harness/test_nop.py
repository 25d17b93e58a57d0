"""Doing nothing."""

from harness.runs import run

from skillcheck.evals.trace.trace import Ended


def test_nothing_is_done_and_all_is_well(tmp_path):
    done, trace = run("nop", tmp_path)
    assert (done.returncode, done.stdout, trace.events, trace.ended) == (0, b"", (), Ended("completed"))
    assert list((tmp_path / "work").iterdir()) == []
