"""Any program: placeholders, standard input, and how its output is told apart."""

import re
from pathlib import Path

import pytest
from harness.runs import read, run, task

from skillcheck.errors import UsageError
from skillcheck.evals.harness import named
from skillcheck.evals.trace.trace import Ended, Said

HARNESS = named("command")


def asked(template, **fields):
    return HARNESS.command(task(options={"agent-command": template}, **fields))


def test_every_placeholder_is_filled_in():
    launch = asked(
        "agent '{prompt}' --f={prompt_file} {system_prompt_file} {model} {workspace} {skill_dir} {other}",
        prompt="fix {model} now",
        system_prompt_file=Path("/run-1/system.md"),
        skill_dirs=(Path("/run-1/work/.agents/skills/x"),),
        model="m",
    )
    assert launch.argv == (
        "agent", "fix {model} now", "--f=/run-1/prompt.txt", "/run-1/system.md", "m", "/run-1/work",
        "/run-1/work/.agents/skills/x", "{other}",
    )  # fmt: skip


def test_placeholders_of_what_is_missing_are_empty():
    assert asked("agent '{system_prompt_file}' '{skill_dir}' '{model}'").argv == ("agent", "", "", "")


@pytest.mark.parametrize(
    ("template", "stdin"), [("agent", b"hello"), ("agent {prompt}", b""), ("agent @{prompt_file}", b"")]
)
def test_prompt_comes_on_stdin_unless_a_placeholder_asks_for_it(template, stdin):
    assert asked(template, prompt="hello").stdin == stdin


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("", "harness 'command' has no command: say which program to run with --agent-command"),
        ("agent 'x", "--agent-command \"agent 'x\" can't be split into words: no closing quotation"),
    ],
    ids=["missing", "open quotation"],
)
def test_bad_command_is_refused(template, message):
    with pytest.raises(UsageError, match=f"^{re.escape(message)}$"):
        asked(template)


def test_system_prompt_is_named_by_a_variable(tmp_path):
    (tmp_path / "system.md").write_text("be kind", "utf-8")
    program = {"agent-command": "sh -c 'cat; cat \"$SKILLCHECK_SYSTEM_PROMPT_FILE\"'"}
    done, trace = run("command", tmp_path, prompt="hello ", options=program, system_prompt_file=tmp_path / "system.md")
    assert done.returncode == 0
    assert trace.said == ("hello be kind",)
    assert asked("agent").env == {}


def test_plain_text_is_one_text():
    trace = read("command", "", "All", "done. \N{CHECK MARK}")
    assert (trace.said, trace.ended) == (("All\ndone. \N{CHECK MARK}",), Ended("completed"))


def test_no_output_is_no_text():
    assert read("command").events == ()
    assert read("command").ended == Ended("completed")


def test_bytes_that_are_no_utf8_are_read():
    assert list(HARNESS.parse([b"caf\xe9\n"])) == [Said("caf\N{REPLACEMENT CHARACTER}"), Ended("completed")]


def test_stream_is_told_by_its_first_line():
    trace = read("command", "", '{"type":"result","subtype":"success","is_error":false,"result":"done"}')
    assert (trace.said, trace.ended) == (("done",), Ended("completed"))


def test_stream_that_is_cut_off_has_no_end():
    trace = read("command", '{"type":"assistant","mess')
    assert (trace.ended, trace.malformed) == (None, 1)
