"""Our own agent: its command line."""

import sys
from pathlib import Path

from harness.runs import task

from skillcheck.evals.harness import environment, named

HARNESS = named("anthropic")


def test_prompt_and_system_prompt_come_from_files():
    argv = HARNESS.command(task(prompt="secret words", system_prompt_file=Path("/run-1/system.md"))).argv
    assert argv[argv.index("--prompt-file") + 1] == "/run-1/prompt.txt"
    assert argv[argv.index("--system-prompt-file") + 1] == "/run-1/system.md"
    assert not any("secret" in part for part in argv)


def test_modules_of_the_workspace_are_not_its_own():
    assert HARNESS.command(task()).argv[:4] == (sys.executable, "-P", "-m", "skillcheck.agent")


def test_skills_are_looked_for_where_they_are_staged():
    argv = HARNESS.command(task()).argv
    assert argv[argv.index("--skills") + 1] == f"/run-1/work/{HARNESS.skills_dir}"
    assert not {"--model", "--system-prompt-file"} & set(argv)


def test_key_and_server_are_handed_on():
    asked = task(environ={"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": "http://127.0.0.1:1", "OPENAI_API_KEY": "o"})
    variables = environment(HARNESS, asked, HARNESS.command(asked))
    assert (variables["ANTHROPIC_API_KEY"], variables["ANTHROPIC_BASE_URL"]) == ("k", "http://127.0.0.1:1")
    assert "OPENAI_API_KEY" not in variables
