"""Claude Code: its command line, and what its stream says."""

from pathlib import Path

import pytest
from harness.runs import ROOT, recorded, task

from skillcheck.evals.harness import environment, named
from skillcheck.evals.trace.trace import Denied, Said, SkillLoaded, ToolCall, ToolResult, Usage

HARNESS = named("claude-code")


def test_prompt_comes_on_stdin_alone():
    launch = HARNESS.command(task(prompt="say \N{CHECK MARK}"))
    assert launch.stdin == "say \N{CHECK MARK}".encode()
    assert not any("say" in part for part in launch.argv)


def test_runs_with_and_without_the_skill_have_one_command_line():
    assert HARNESS.command(task(skill="x", skill_dirs=(ROOT / "work/.claude/skills/x",))) == HARNESS.command(task())


def test_system_prompt_comes_from_its_file():
    argv = HARNESS.command(task(system_prompt_file=Path("/run-1/system.md"))).argv
    assert argv[argv.index("--append-system-prompt-file") + 1] == "/run-1/system.md"
    assert "--append-system-prompt-file" not in HARNESS.command(task()).argv


def test_model_is_asked_for_where_one_is_named():
    argv = HARNESS.command(task(model="opus")).argv
    assert argv[argv.index("--model") + 1] == "opus"
    assert "--model" not in HARNESS.command(task()).argv


def test_nothing_of_the_user_reaches_the_agent():
    environ = {"PATH": "/bin", "ANTHROPIC_API_KEY": "k", "CLAUDE_CONFIG_DIR": "/root/.claude", "AWS_SECRET": "s"}
    asked = task(environ=environ)
    launch = HARNESS.command(asked)
    variables = environment(HARNESS, asked, launch)
    assert variables["CLAUDE_CONFIG_DIR"] == "/run-1/home/.claude"
    assert variables["CLAUDE_CODE_DISABLE_CLAUDE_MDS"] == "1"
    assert variables["ANTHROPIC_API_KEY"] == "k"
    assert "AWS_SECRET" not in variables
    assert launch.argv[launch.argv.index("--setting-sources") + 1] == "project"


def test_edits_and_commands_are_read():
    trace = recorded("claude-code", "edit")
    assert [call.name for call in trace.calls] == ["Read", "Edit", "Write", "Bash"]
    assert trace.calls[3].input["command"] == "cat README.md; exit 3"
    results = [event for event in trace.events if isinstance(event, ToolResult)]
    assert [result.is_error for result in results] == [False, False, False, True]
    assert results[3].text == "Exit code 3\n# demo\nhello new"
    assert trace.said == ("I'll read the file first.", "Now edit.", "All done.")
    assert (trace.usage, trace.cost_usd) == (Usage(400, 80), 0.0032)
    assert (trace.version, trace.ended.how, trace.malformed) == (HARNESS.tested, "completed", 0)


def test_skill_is_listed_and_loaded():
    trace = recorded("claude-code", "skill")
    assert "demo-skill" in trace.skills
    assert SkillLoaded("demo-skill") in trace.events


def test_skill_that_is_asked_for_but_unknown_is_not_loaded():
    trace = recorded("claude-code", "unknown-skill")
    assert trace.calls[0].name == "Skill"
    assert trace.loaded == frozenset()


def test_denial_is_told_once():
    denials = [event for event in recorded("claude-code", "denied").events if isinstance(event, Denied)]
    assert [denial.tool for denial in denials] == ["Write"]
    assert denials[0].reason


def test_nested_agent_is_told_apart_and_its_usage_left_out():
    trace = recorded("claude-code", "nested")
    outer, inner = trace.calls
    assert (outer.agent, inner.agent) == ("", outer.id)
    assert trace.usage == Usage(200, 40)


def test_killed_run_has_no_end_and_no_cost():
    trace = recorded("claude-code", "killed")
    assert trace.ended is None
    assert (trace.usage, trace.cost_usd) == (Usage(100, 1), None)
    assert isinstance(trace.events[-1], ToolCall)


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("401", "infra-auth"),
        ("404", "harness-config"),
        ("429", "infra-rate"),
        ("500", "infra-server"),
        ("529", "infra-server"),
        ("html", "infra-protocol"),
        ("dropped", "infra-protocol"),
        ("no-key", "infra-auth"),
        ("turn-limit", "turn-limit"),
        ("budget", "agent-budget"),
    ],
)
def test_failure_has_its_class_and_says_why(name, how):
    trace = recorded("claude-code", name)
    assert trace.ended.how == how
    assert trace.ended.message
    assert Said(trace.ended.message) not in trace.events
