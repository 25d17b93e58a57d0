"""Replay: a stored trace of ours, or Claude's stream."""

import re

import pytest
from harness.runs import RECORDINGS, recorded, run, task

from skillcheck.errors import UsageError
from skillcheck.evals.harness import named
from skillcheck.evals.trace import event_lines
from skillcheck.evals.trace.trace import (
    Denied,
    Ended,
    Malformed,
    Said,
    SkillLoaded,
    Spent,
    Started,
    ToolCall,
    ToolResult,
    Usage,
)

EVERY = (
    Started("m", "1.2", ("a", "b")),
    Said("caf\N{LATIN SMALL LETTER E WITH ACUTE}\n", "sub"),
    ToolCall("1", "Bash", {"command": "ls", "deep": [1, {"x": None}]}),
    ToolResult("1", "no", is_error=True),
    SkillLoaded("a"),
    Denied("Write", "why"),
    Spent(Usage(1, 2, 3, 4), 0.5),
    Malformed(2),
    Ended("turn-limit", "enough"),
)


def test_raw_stream_is_replayed(tmp_path):
    done, trace = run("replay", tmp_path, options={"trace": str(RECORDINGS / "claude-code" / "skill.jsonl")})
    assert (done.returncode, done.stderr) == (0, b"")
    assert trace == recorded("claude-code", "skill")


def test_stored_trace_is_replayed(tmp_path):
    stored = tmp_path / "trace.jsonl"
    stored.write_bytes(b"".join(map(event_lines.line, EVERY)))
    done, _ = run("replay", tmp_path, options={"trace": str(stored)})
    assert tuple(named("replay").parse(done.stdout.splitlines(keepends=True))) == EVERY


def test_unknown_skills_stay_unknown():
    assert list(event_lines.parse([event_lines.line(Started())])) == [Started()]


def test_events_of_other_kinds_are_passed_over_and_broken_ones_counted():
    lines = [b'{"event": "Dreamt"}\n', b'{"event": "Said"}\n', b'{"event": "Ended", "how": "completed"}\n']
    assert list(event_lines.parse(lines)) == [Malformed(1), Ended("completed")]


def test_file_that_is_missing_fails(tmp_path):
    done, _ = run("replay", tmp_path, options={"trace": str(tmp_path / "gone")})
    assert done.returncode == 1
    assert b"gone" in done.stderr


def test_without_a_trace_there_is_nothing_to_replay():
    message = "harness 'replay' has nothing to replay: say which stored trace"
    with pytest.raises(UsageError, match=f"^{re.escape(message)}$"):
        named("replay").command(task())
