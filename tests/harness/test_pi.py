"""pi: its command line, and what its stream says."""

import json
from pathlib import Path

import pytest
from harness.runs import read, recorded, task

from skillcheck.evals.harness import named
from skillcheck.evals.trace.trace import ToolResult, Usage

HARNESS = named("pi")


def servers(environ):
    providers = json.loads(HARNESS.command(task(environ=environ)).files[".pi/agent/models.json"])["providers"]
    return {name: provider["baseUrl"] for name, provider in providers.items()}


def test_prompt_comes_on_stdin_alone():
    launch = HARNESS.command(task(prompt="say hello"))
    assert launch.stdin == b"say hello"
    assert not any("hello" in part for part in launch.argv)


def test_only_the_skill_under_test_is_offered():
    without = HARNESS.command(task()).argv
    assert "--no-skills" in without
    assert HARNESS.command(task(skill_dirs=(Path("/run-1/work/x"),))).argv == (*without, "--skill", "/run-1/work/x")


def test_system_prompt_is_handed_over_as_a_path():
    argv = HARNESS.command(task(system_prompt_file=Path("/run-1/system.md"))).argv
    assert argv[-2:] == ("--append-system-prompt", "/run-1/system.md")
    assert "--append-system-prompt" not in HARNESS.command(task()).argv


@pytest.mark.parametrize(
    ("model", "argv"),
    [
        ("openai/gpt-5.1", ("--provider", "openai", "--model", "gpt-5.1")),
        ("openrouter/openai/gpt-5.1", ("--provider", "openrouter", "--model", "openai/gpt-5.1")),
        ("sonnet", ("--model", "sonnet")),
        ("", ()),
    ],
    ids=["provider", "router", "name alone", "none"],
)
def test_model_is_asked_of_its_provider(model, argv):
    assert HARNESS.command(task(model=model)).argv == (*HARNESS.command(task()).argv, *argv)


def test_servers_are_the_callers():
    assert servers({}) == {}
    assert servers({"ANTHROPIC_BASE_URL": "http://a", "OPENAI_BASE_URL": "http://o/v1"}) == {
        "anthropic": "http://a",
        "openai": "http://o/v1",
    }


def test_edits_and_commands_are_read():
    trace = recorded("pi", "edit")
    assert [call.name for call in trace.calls] == ["read", "edit", "write", "bash"]
    assert trace.calls[3].input == {"command": "echo ran > bash.txt; cat README.md; exit 3"}
    results = {event.id: event for event in trace.events if isinstance(event, ToolResult)}
    assert results.keys() == {call.id for call in trace.calls}
    assert results[trace.calls[3].id] == (trace.calls[3].id, "# demo\nhello new\n\n\nCommand exited with code 3", True)
    assert trace.said == ("Using the skill.", "Patching.", "All done.")
    assert (trace.model, trace.ended.how) == ("claude-sonnet-4-5", "completed")


def test_tokens_and_cost_are_summed():
    trace = recorded("pi", "edit")
    assert trace.usage == Usage(400, 80)
    assert trace.cost_usd == pytest.approx(0.0024)


def test_skill_is_loaded_by_reading_it():
    assert recorded("pi", "edit").loaded == {"demo-skill"}


def test_skill_that_the_prompt_forces_is_not_loaded_by_the_agent():
    assert recorded("pi", "forced").loaded == frozenset()


@pytest.mark.parametrize(("is_error", "loaded"), [("false", {"x"}), ("true", frozenset())])
def test_skill_that_cannot_be_read_is_not_loaded(is_error, loaded):
    begin = '{"type":"tool_execution_start","toolCallId":"1","toolName":"read","args":{"path":"skills/x/SKILL.md"}}'
    end = f'{{"type":"tool_execution_end","toolCallId":"1","result":{{"content":[]}},"isError":{is_error}}}'
    assert read("pi", begin, end).loaded == loaded


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("401", "infra-auth"),
        ("429", "infra-rate"),
        ("500", "infra-server"),
        ("drop", "infra-protocol"),
        ("overflow", "context-limit"),
    ],
)
def test_failure_has_its_class_and_says_why(name, how):
    trace = recorded("pi", name)
    assert trace.ended.how == how
    assert trace.ended.message
    assert trace.said == ("Starting.",)


def test_bad_calls_are_errors_of_the_tool():
    trace = recorded("pi", "badtool")
    assert [event.is_error for event in trace.events if isinstance(event, ToolResult)] == [True, True]
    assert trace.ended.how == "completed"


def test_stream_cut_off_has_no_end():
    assert read("pi", '{"type":"agent_start"}', '{"type":"agent_settled","aborted":true}').ended is None
