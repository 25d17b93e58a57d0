"""opencode: its command line, and what its stream says."""

import json
from pathlib import Path

import pytest
from harness.runs import read, recorded, task

from skillcheck.evals.harness import named
from skillcheck.evals.trace.trace import Denied, ToolResult, Usage

HARNESS = named("opencode")


def config(**fields):
    return json.loads(HARNESS.command(task(**fields)).files[".config/opencode/opencode.json"])


def denied(name):
    return [(event.tool, event.reason) for event in recorded("opencode", name).events if isinstance(event, Denied)]


def test_prompt_comes_on_stdin_alone():
    launch = HARNESS.command(task(prompt="say hello"))
    assert launch.stdin == b"say hello"
    assert not any("hello" in part for part in launch.argv)


def test_system_prompt_is_the_only_instruction():
    assert config(system_prompt_file=Path("/run-1/system.md"))["instructions"] == ["/run-1/system.md"]
    assert config()["instructions"] == []
    assert HARNESS.command(task()).env["OPENCODE_DISABLE_PROJECT_CONFIG"] == "1"


def test_model_is_asked_for_where_one_is_named():
    assert HARNESS.command(task(model="openai/gpt-5.1")).argv[-2:] == ("--model", "openai/gpt-5.1")
    assert "--model" not in HARNESS.command(task()).argv


def test_servers_are_the_callers():
    assert config()["provider"] == {}
    assert config(environ={"ANTHROPIC_BASE_URL": "http://a/", "OPENAI_BASE_URL": "http://o/v1"})["provider"] == {
        "anthropic": {"options": {"baseURL": "http://a/v1"}},
        "openai": {"options": {"baseURL": "http://o/v1"}},
    }


def test_edits_and_commands_are_read():
    trace = recorded("opencode", "edit")
    assert [call.name for call in trace.calls] == ["skill", "read", "edit", "write", "bash"]
    results = {event.id: event for event in trace.events if isinstance(event, ToolResult)}
    assert results.keys() == {call.id for call in trace.calls}
    assert results[trace.calls[4].id].text == "# demo\nhello new\n"
    assert trace.said == ("Using the skill.", "Reading.", "Patching.", "All done.")
    assert trace.ended.how == "completed"


def test_tokens_and_cost_are_summed():
    trace = recorded("opencode", "edit")
    assert trace.usage == Usage(500, 100)
    assert trace.cost_usd == pytest.approx(0.003)


def test_skill_is_loaded():
    assert recorded("opencode", "edit").loaded == {"demo-skill"}


def test_rejected_call_is_denied():
    assert [tool for tool, _ in denied("denied")] == ["bash"]


def test_skill_without_ripgrep_is_denied():
    assert denied("no-rg") == [("skill", "opencode loads no skill without rg on PATH")]
    assert recorded("opencode", "no-rg").loaded == frozenset()


def test_bad_calls_are_not_denied():
    assert denied("badtool") == []
    assert recorded("opencode", "badtool").ended.how == "completed"


@pytest.mark.parametrize(
    ("name", "how"),
    [("401", "infra-auth"), ("429", "infra-rate"), ("overflow", "context-limit"), ("html", "infra-protocol")],
)
def test_failure_has_its_class_and_says_why(name, how):
    trace = recorded("opencode", name)
    assert trace.ended.how == how
    assert trace.ended.message


def test_server_that_answers_nonsense_for_ever_is_told_while_it_lasts():
    step = '{"type":"step_finish","part":{"reason":"unknown","tokens":{"input":0,"output":0,"reasoning":0,"cache":'
    lines = [(step + '{"write":0,"read":0}},"cost":0}}').encode()] * 3
    stream = HARNESS.parse(line for line in (*lines, b"the stream goes on"))
    kinds = [type(next(stream)).__name__ for _ in range(4)]
    assert kinds == ["Spent", "Spent", "Spent", "Ended"]


def test_stream_cut_off_amid_the_work_has_no_end():
    whole = recorded("opencode", "edit")
    lines = (Path(__file__).parent / "recordings/opencode/edit.jsonl").read_text("utf-8").splitlines()
    assert whole.ended is not None
    assert read("opencode", *lines[:-1]).ended is None
