import json
import os
import signal
import subprocess
import sys
import time

import pytest
from agent_program.program import run, start
from model.script import Call, Turn, call, say
from model.server import serve

import skillcheck
from skillcheck.evals.trace.trace import Ended, Usage

pytestmark = pytest.mark.skipif(os.name != "posix", reason="behavioral evals are POSIX")
SKILL = "---\nname: greeting\ndescription: Use when greeting.\n---\n\nSay hello.\n"
WORK = (
    call("Skill", skill="greeting"),
    Turn("Now I write.", (Call("bash", {"command": "echo hi > a.txt"}), Call("bash", {"command": "cat a.txt"}))),
    call("edit", command="str_replace", path="a.txt", old="hi", new="hello"),
    say("The file says hello."),
)


@pytest.fixture
def work(tmp_path):
    place = tmp_path / ".agents/skills/greeting"
    place.mkdir(parents=True)
    (place / "SKILL.md").write_text(SKILL, "utf-8")
    return tmp_path


def kinds(events):
    """The kind of every event, with the kind of its block where it has one."""
    return [
        event["message"]["content"][0]["type"] if "message" in event else event.get("subtype", "") for event in events
    ]


def wait_for(is_so):
    until = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_a_task_is_done_with_all_tools(work):
    with serve(*WORK) as server:
        ran = run(work, server.url, "--skills", ".agents/skills")
    assert (ran.status, ran.stderr) == (0, "")
    assert (work / "a.txt").read_text("utf-8") == "hello\n"
    assert kinds(ran.events) == [
        "init", "tool_use", "tool_result", "text", "tool_use", "tool_use", "tool_result", "tool_result", "tool_use",
        "tool_result", "text", "success",
    ]  # fmt: skip
    assert ran.events[0] == {
        "type": "system",
        "subtype": "init",
        "cwd": str(work),
        "model": "scripted",
        "tools": ["bash", "edit", "Skill"],
        "skills": ["greeting"],
        "claude_code_version": skillcheck.__version__,
    }
    assert ran.results() == [
        (f"Base directory for this skill: {work}/.agents/skills/greeting\n\nSay hello.", False),
        ("exit code 0", False),
        ("exit code 0\nstdout:\nhi\n", False),
        (f"{work}/a.txt was changed", False),
    ]
    assert ran.result.pop("duration_ms") > 0
    assert ran.result == {
        "type": "result",
        "subtype": "success",
        "is_error": False,
        "api_error": None,
        "api_error_status": None,
        "result": "The file says hello.",
        "num_turns": 4,
        "usage": {
            "input_tokens": 400,
            "output_tokens": 80,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
        },
        "total_cost_usd": None,
    }


def test_the_reader_of_claudes_stream_reads_it(work):
    with serve(*WORK) as server:
        ran = run(work, server.url, "--skills", ".agents/skills")
    trace = ran.trace()
    assert (trace.model, trace.version, trace.skills) == ("scripted", skillcheck.__version__, ("greeting",))
    assert [tool.name for tool in trace.calls] == ["Skill", "bash", "bash", "edit"]
    assert trace.loaded == {"greeting"}
    assert trace.said == ("Now I write.", "The file says hello.")
    assert (trace.usage, trace.cost_usd) == (Usage(400, 80), None)
    assert (trace.ended, trace.malformed) == (Ended("completed"), 0)


def test_runs_with_and_without_a_skill_differ_in_its_line(work):
    bodies = []
    for folder in (".agents/skills", "absent"):
        with serve(say("Done.")) as server:
            run(work, server.url, "--skills", folder)
        bodies.append(server.requests[0].body)
    shown, absent = bodies
    lines = [body.pop("system").splitlines() for body in (shown, absent)]
    assert shown == absent
    assert [pair for pair in zip(*lines, strict=True) if len(set(pair)) > 1] == [("- greeting: Use when greeting.", "")]


def test_the_system_prompt_file_ends_the_system_prompt(work):
    (work / "system.md").write_text("Use British spelling.\n", "utf-8")
    with serve(say("Done.")) as server:
        run(work, server.url, "--system-prompt-file", "system.md", "--max-tokens", "99", prompt="Write colöur.")
    body = server.requests[0].body
    assert body["system"].startswith("You are a coding agent.")
    assert body["system"].endswith("\nUse British spelling.\n")
    assert (body["max_tokens"], body["messages"]) == (99, [{"role": "user", "content": "Write colöur."}])


def test_a_fault_of_the_server_is_the_result_and_the_status(work):
    with serve(say("").failing("status", 401)) as server:
        ran = run(work, server.url)
    assert (ran.status, ran.stderr) == (1, "")
    assert (ran.result["is_error"], ran.result["api_error_status"]) == (True, 401)


def test_commands_do_not_see_the_key(work):
    with serve(call("bash", command="env"), say("Done.")) as server:
        ran = run(work, server.url, key="sk-secret")
    assert "HOME=" in ran.results()[0][0]
    assert "sk-secret" not in json.dumps(ran.events)
    assert "ANTHROPIC" not in ran.results()[0][0]


def test_a_bad_call_is_told_to_the_model_and_the_run_goes_on(work):
    calls = (Call("Read", {"path": "a"}), Call("bash", {}), Call("Skill", {"skill": "absent"}))
    with serve(Turn(calls=calls), say("Never mind.")) as server:
        ran = run(work, server.url)
    assert ran.status == 0
    assert ran.results() == [
        ("unknown tool 'Read'; there are bash, edit, Skill", True),
        ("bad input for bash: 'command' is missing", True),
        ("unknown skill 'absent'; known are: none", True),
    ]


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (("--max-turns", "0"), "argument --max-turns: '0' is not a whole number above 0"),
        (("--api-timeout", "soon"), "argument --api-timeout: 'soon' is not a whole number above 0"),
        (("--prompt-file", "absent"), "absent can't be read: No such file or directory"),
        (("--prompt-file", "latin"), "latin can't be read: it is not UTF-8"),
        (("--prompt-file", "blank"), "blank is blank"),
        (("--system-prompt-file", "."), ". can't be read: Is a directory"),
        (("--colour",), "unrecognized arguments: --colour"),
    ],
    ids=("turns", "timeout", "absent", "latin", "blank", "folder", "unknown"),
)
def test_bad_usage_is_told_in_one_line(work, options, fault):
    (work / "latin").write_bytes(b"caf\xe9")
    (work / "blank").write_text(" \n", "utf-8")
    ran = run(work, "http://127.0.0.1:1", *options)
    assert (ran.status, ran.events) == (2, [])
    assert ran.stderr.endswith(f"error: {fault}\n")
    assert ran.stderr.count("\n") == 1


def test_a_missing_key_is_told(work):
    ran = run(work, "http://127.0.0.1:1", key="")
    assert (ran.status, ran.events, ran.stderr) == (2, [], "error: ANTHROPIC_API_KEY is not set\n")


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
@pytest.mark.parametrize(
    "turn", [call("bash", command="sleep 0.2; echo $$ > pid; exec sleep 60"), say("").failing("hang")]
)
def test_a_signal_ends_it_at_once(work, turn, sent, status):
    pid = work / "pid"
    with serve(turn) as server, start(work, server.url) as child:
        wait_for(lambda: pid.exists() and pid.read_text("ascii") if turn.calls else server.requests)
        child.send_signal(sent)
        try:
            assert child.wait(10) == status
        finally:
            child.kill()
        assert child.stderr.read() == ""
    if turn.calls:
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid.read_text("ascii")), 0)


def test_a_reader_that_left_is_no_traceback(work):
    with serve(call("bash", command="sleep 0.2"), repeat=True) as server, start(work, server.url) as child:
        child.stdout.close()
        assert child.wait(30) == 3
        assert child.stderr.read() == "error: stdout can't be written: Broken pipe\n"


def test_help_does_not_load_the_sdk():
    code = (
        "import runpy, sys\nsys.argv = ['agent', '--help']\n"
        "try: runpy.run_module('skillcheck.agent', run_name='__main__')\n"
        "finally: sys.stderr.write(str('anthropic' in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "False"
    assert "--prompt-file" in done.stdout
