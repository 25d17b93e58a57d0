"""Gemini CLI: its command line, and what its stream says."""

import json
from pathlib import Path

import pytest
from harness.runs import read, recorded, task

from skillcheck.evals.harness import MAX_TURNS, named
from skillcheck.evals.trace.trace import Denied, ToolResult, Usage

HARNESS = named("gemini")


def test_prompt_comes_on_stdin_alone():
    launch = HARNESS.command(task(prompt="say hello"))
    assert launch.stdin == b"say hello"
    assert not any("hello" in part for part in launch.argv)


def test_system_prompt_is_the_context_file_of_its_home():
    launch = HARNESS.command(task(system_prompt_file=Path("/run-1/system.md")))
    assert launch.copies == {".gemini/GEMINI.md": Path("/run-1/system.md")}
    assert HARNESS.command(task()).copies == {}


def test_one_model_is_asked():
    assert HARNESS.command(task()).argv[-2:] == ("--model", "pro")
    assert HARNESS.command(task(model="gemini-2.5-pro")).argv[-2:] == ("--model", "gemini-2.5-pro")


def test_turns_are_limited():
    settings = json.loads(HARNESS.command(task()).files[".gemini/settings.json"])
    assert settings["model"]["maxSessionTurns"] == MAX_TURNS


def test_edits_and_commands_are_read():
    trace = recorded("gemini", "edit")
    assert [call.name for call in trace.calls] == [
        "activate_skill", "read_file", "replace", "write_file", "run_shell_command",
    ]  # fmt: skip
    results = {event.id: event for event in trace.events if isinstance(event, ToolResult)}
    assert results.keys() == {call.id for call in trace.calls}
    assert results[trace.calls[4].id].text == "# demo\nhello new"
    assert (trace.usage, trace.cost_usd) == (Usage(500, 100), None)
    assert (trace.model, trace.ended.how) == ("pro", "completed")


def test_text_in_pieces_is_one():
    assert recorded("gemini", "edit").said == ("Using the skill.", "Reading.", "Patching.", "All done.")


def test_text_at_which_the_stream_is_cut_off_is_kept():
    assert read("gemini", '{"type":"message","role":"assistant","content":"so far","delta":true}').said == ("so far",)


def test_skill_is_loaded():
    assert recorded("gemini", "edit").loaded == {"demo-skill"}


def test_tools_that_were_taken_away_are_denied():
    trace = recorded("gemini", "denied")
    denied = [event.tool for event in trace.events if isinstance(event, Denied)]
    assert denied == ["activate_skill", "run_shell_command"]
    assert trace.loaded == frozenset()


def test_tool_that_never_was_is_not_denied():
    trace = recorded("gemini", "badtool")
    assert "no_such_tool" in [call.name for call in trace.calls]
    assert not any(isinstance(event, Denied) for event in trace.events)


def test_tokens_from_a_cache_are_counted_once():
    stats = '{"input_tokens":100,"input":40,"cached":60,"output_tokens":5}'
    assert read("gemini", f'{{"type":"result","status":"success","stats":{stats}}}').usage == Usage(40, 5, 0, 60)


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("401", "infra-auth"),
        ("429", "infra-rate"),
        ("500", "infra-server"),
        ("html", "infra-protocol"),
        ("overflow", "context-limit"),
        ("turn-limit", "turn-limit"),
        ("loop", "agent-loop"),
    ],
)
def test_failure_has_its_class_and_says_why(name, how):
    trace = recorded("gemini", name)
    assert trace.ended.how == how
    assert trace.ended.message
