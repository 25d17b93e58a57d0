"""Qwen Code: its command line, and what its stream says."""

import json
from pathlib import Path

import pytest
from harness.runs import recorded, task

from skillcheck.evals.harness import named
from skillcheck.evals.trace.trace import Denied, Usage

HARNESS = named("qwen")


def test_prompt_comes_on_stdin_alone():
    launch = HARNESS.command(task(prompt="say hello"))
    assert launch.stdin == b"say hello"
    assert not any("hello" in part for part in launch.argv)


def test_system_prompt_is_the_only_context_file():
    launch = HARNESS.command(task(system_prompt_file=Path("/run-1/system.md")))
    name = json.loads(launch.files[".qwen/settings.json"])["context"]["fileName"]
    assert launch.copies == {f".qwen/{name}": Path("/run-1/system.md")}
    assert name not in {"QWEN.md", "AGENTS.md"}
    assert HARNESS.command(task()).copies == {}


def test_model_is_asked_for_where_one_is_named():
    assert HARNESS.command(task(model="qwen3")).argv[-2:] == ("--model", "qwen3")


def test_edits_and_commands_are_read():
    trace = recorded("qwen", "edit")
    assert [call.name for call in trace.calls] == ["read_file", "edit", "write_file", "run_shell_command"]
    assert trace.said == ("Reading.", "All done.")
    assert (trace.usage, trace.cost_usd) == (Usage(400, 80), None)
    assert (trace.version, trace.ended.how) == (HARNESS.tested, "completed")


def test_skill_is_listed_and_loaded():
    trace = recorded("qwen", "skill")
    assert "demo-skill" in trace.skills
    assert trace.loaded == {"demo-skill"}


def test_skill_that_is_asked_for_but_unknown_is_not_loaded():
    assert recorded("qwen", "unknown-skill").loaded == frozenset()


def test_denials_are_read():
    denied = [event.tool for event in recorded("qwen", "denied").events if isinstance(event, Denied)]
    assert denied == ["edit", "write_file", "run_shell_command"]


@pytest.mark.parametrize(
    ("name", "how"),
    [("401", "infra-auth"), ("400", "infra-protocol"), ("html", "infra-protocol"), ("loop", "agent-loop")],
)
def test_failure_has_its_class_and_says_why(name, how):
    trace = recorded("qwen", name)
    assert trace.ended.how == how
    assert trace.ended.message


def test_turn_limit_ends_without_a_result():
    trace = recorded("qwen", "turn-limit")
    assert trace.ended is None
    assert trace.usage == Usage(300, 60)
