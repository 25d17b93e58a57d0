"""What a machine has of what a run needs: programs, versions, credentials by name."""

import pytest
from catalogs import write

from skillcheck.errors import UsageError
from skillcheck.evals import harness, judge
from skillcheck.evals.plan.machine import judge_for, look
from skillcheck.evals.plan.settings import Settings

CLAUDE = harness.named("claude-code")


@pytest.fixture
def path(tmp_path):
    """A PATH on which there is git, and `claude` once it is installed."""
    programs = write(tmp_path, {"git": "#!/bin/sh\n"})
    (programs / "git").chmod(0o755)
    return programs


def install(path, script):
    write(path, {"claude": script})
    (path / "claude").chmod(0o755)


def test_what_is_missing_is_named_by_program_and_variable(path):
    found = look(CLAUDE, judge.named("api"), Settings(), {"PATH": str(path)})
    assert found.agent_lacks[0] == "claude-code needs the program 'claude', which is not on PATH"
    assert found.agent_lacks[1].startswith("claude-code needs ANTHROPIC_API_KEY or ")
    assert found.grader_lacks == ("the grader api needs ANTHROPIC_API_KEY in the environment",)
    assert (found.program, found.version) == (None, "")


def test_a_machine_with_program_and_key_lacks_nothing(path):
    install(path, "#!/bin/sh\necho '9.8.7 (stub)'\necho more\n")
    found = look(CLAUDE, None, Settings(), {"PATH": str(path), "ANTHROPIC_API_KEY": "x"})
    assert found == (path / "claude", "9.8.7 (stub)", (), ())


def test_an_empty_key_is_none(path):
    install(path, "#!/bin/sh\n")
    found = look(CLAUDE, None, Settings(), {"PATH": str(path), "ANTHROPIC_API_KEY": ""})
    assert len(found.agent_lacks) == 1


def test_git_is_needed_by_every_run(tmp_path):
    found = look(harness.named("nop"), None, Settings(), {"PATH": str(tmp_path)})
    assert found.agent_lacks == ("a workspace needs the program 'git', which is not on PATH",)


@pytest.mark.parametrize("script", ["#!/bin/sh\nexit 1\n", "#!/nonexistent\n", "garbage\x00"])
def test_a_program_that_tells_no_version_has_none(path, script):
    install(path, script)
    assert look(CLAUDE, None, Settings(), {"PATH": str(path), "ANTHROPIC_API_KEY": "x"}).version == ""


@pytest.mark.parametrize(
    ("settings", "environ", "name"),
    [
        (Settings("claude-code"), {"ANTHROPIC_API_KEY": "x"}, "api"),
        (Settings("claude-code"), {}, "api"),
        (Settings("claude-code", judge="claude"), {"ANTHROPIC_API_KEY": "x"}, "claude"),
        (Settings("claude-code", grader_command="grade"), {"ANTHROPIC_API_KEY": "x"}, "command"),
        (Settings("claude-code", judge="none"), {"ANTHROPIC_API_KEY": "x"}, None),
        (Settings("nop"), {"ANTHROPIC_API_KEY": "x"}, None),
        (Settings("nop", grader_command="grade"), {}, "command"),
    ],
    ids=["key", "no key", "named", "a program", "none", "no model", "no model but a program"],
)
def test_the_judge_is_the_one_asked_for_or_one_that_can_be_used(settings, environ, name, tmp_path):
    found = judge_for(settings, harness.named(settings.harness), {"PATH": str(tmp_path), **environ})
    assert (found and found.name) == name


def test_claude_judges_where_there_is_no_key_for_the_api(path):
    install(path, "#!/bin/sh\n")
    environ = {"PATH": str(path), "CLAUDE_CODE_OAUTH_TOKEN": "x"}
    assert judge_for(Settings("claude-code"), CLAUDE, environ).name == "claude"


def test_an_unknown_judge_is_a_usage_error():
    with pytest.raises(UsageError, match="unknown grader 'claud'; did you mean 'claude'"):
        judge_for(Settings("nop", judge="claud"), harness.named("nop"), {})
