"""Codex: its command line, and what its stream says."""

import tomllib
from pathlib import Path

import pytest
from harness.runs import read, recorded, task

from skillcheck.evals.harness import named
from skillcheck.evals.trace.trace import Denied, ToolResult, Usage

HARNESS = named("codex")


def config(**fields):
    return tomllib.loads(HARNESS.command(task(**fields)).files[".codex/config.toml"])


def test_prompt_comes_on_stdin_alone():
    launch = HARNESS.command(task(prompt="say hello"))
    assert launch.stdin == b"say hello"
    assert launch.argv[-1] == "-"
    assert not any("hello" in part for part in launch.argv)


def test_system_prompt_is_the_only_agents_file():
    launch = HARNESS.command(task(system_prompt_file=Path("/run-1/system.md")))
    assert launch.copies == {".codex/AGENTS.md": Path("/run-1/system.md")}
    assert launch.env["CODEX_HOME"] == "/run-1/home/.codex"
    assert HARNESS.command(task()).copies == {}
    assert config()["project_doc_max_bytes"] == 0


@pytest.mark.parametrize(("ours", "its"), [("bwrap", "danger-full-access"), ("none", "workspace-write")])
def test_its_own_sandbox_is_off_in_ours_alone(ours, its):
    argv = HARNESS.command(task(options={"sandbox": ours})).argv
    assert argv[argv.index("--sandbox") + 1] == its


def test_server_is_the_callers():
    url = 'http://127.0.0.1:1/"v1"'
    provider = config(environ={"OPENAI_BASE_URL": url})["model_providers"]["skillcheck"]
    assert (provider["base_url"], provider["env_key"]) == (url, "OPENAI_API_KEY")
    assert config()["model_providers"]["skillcheck"]["base_url"] == "https://api.openai.com/v1"


def test_model_is_asked_for_where_one_is_named():
    assert HARNESS.command(task(model="gpt-6")).argv[-3:] == ("--model", "gpt-6", "-")
    assert "--model" not in HARNESS.command(task()).argv


def test_edits_and_commands_are_read():
    trace = recorded("codex", "edit")
    assert [call.name for call in trace.calls] == ["command_execution", "file_change", "command_execution"]
    assert [change["path"] for change in trace.calls[1].input["changes"]] == ["/ws/README.md", "/ws/made.txt"]
    results = [event for event in trace.events if isinstance(event, ToolResult)]
    assert [result.is_error for result in results] == [False, False, True]
    assert results[2].text == "# demo\nhello new\n"
    assert trace.said == ("Using the skill.", "Patching.", "All done.")
    assert (trace.usage, trace.cost_usd, trace.ended.how) == (Usage(400, 80), None, "completed")


def test_skill_is_loaded_by_a_command_that_reads_it():
    assert recorded("codex", "edit").loaded == {"demo-skill"}


def test_skill_that_cannot_be_read_is_not_loaded():
    item = '"id":"item_0","type":"command_execution","command":"cat .agents/skills/x/SKILL.md"'
    done = f'{{"type":"item.completed","item":{{{item},"aggregated_output":"","exit_code":%d,"status":"%s"}}}}'
    assert read("codex", done % (1, "failed")).loaded == frozenset()
    assert read("codex", done % (0, "completed")).loaded == {"x"}


def test_tokens_from_a_cache_are_counted_once():
    usage = '{"input_tokens":100,"cached_input_tokens":60,"cache_write_input_tokens":10,"output_tokens":5}'
    assert read("codex", f'{{"type":"turn.completed","usage":{usage}}}').usage == Usage(30, 5, 10, 60)


def test_command_that_its_sandbox_kept_from_running_is_denied():
    denied = [event for event in recorded("codex", "sandbox").events if isinstance(event, Denied)]
    assert [event.tool for event in denied] == ["command_execution"]


def test_bad_calls_are_no_failure_of_the_run():
    assert recorded("codex", "badtool").ended.how == "completed"


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
    trace = recorded("codex", name)
    assert trace.ended.how == how
    assert trace.ended.message
    assert [call.name for call in trace.calls] == ["command_execution"]


def test_call_is_told_before_its_result():
    item = '{"type":"item.started","item":{"id":"item_0","type":"command_execution","command":"sleep 9"}}'
    assert [call.input for call in read("codex", item).calls] == [{"command": "sleep 9"}]
