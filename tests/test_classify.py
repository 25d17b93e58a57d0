"""What a run came to: the rules, and which comes first."""

import signal

import pytest
from harness.runs import recorded

from skillcheck.evals.trace.classify import classify, watch
from skillcheck.evals.trace.outcome import CLASSES
from skillcheck.evals.trace.trace import Denied, Ended, Said, Spent, Started, ToolCall, ToolResult, Trace, Usage
from skillcheck.process import Exit

CALL, DONE = ToolCall("1", "Bash", {"command": "ls"}), ToolResult("1", "ok")
WELL, SPENT = Ended("completed"), Spent(Usage(1, 1))


def run(*events, status=0, stopped="", stderr=b"", truncated=False, **expected):
    ended = classify(Exit(status, 3.0, stopped, truncated), Trace.of(events), stderr, **expected)
    assert ended.how in CLASSES
    return ended


def test_run_that_ended_well_is_completed():
    assert run(CALL, DONE, SPENT, WELL) == WELL


def test_what_the_agent_says_of_its_end_stands():
    failure = Ended("infra-rate", "slow down")
    assert run(CALL, DONE, SPENT, failure, status=1, stderr=b"401") == failure


@pytest.mark.parametrize("stopped", ["wall", "idle"])
def test_timeout_is_the_agents_while_a_tool_runs_and_the_models_otherwise(stopped):
    assert run(CALL, status=-15, stopped=stopped).how == "agent-timeout"
    assert run(CALL, DONE, status=-15, stopped=stopped).how == "infra-timeout"
    assert run(stopped=stopped).how == "infra-timeout"


def test_timeout_says_what_ran_for_how_long():
    assert run(CALL, stopped="wall").message == "the time was up after 3 s, while 'Bash' was running"
    assert run(stopped="idle").message == "no more output came after 3 s, while no tool was running"


def test_timeout_is_one_whatever_was_read_from_plain_output():
    assert run(Said("half"), WELL, stopped="wall").how == "infra-timeout"


def test_nested_agent_that_waits_for_its_model_is_no_running_tool():
    outer, inner = ToolCall("1", "Agent", {}), ToolCall("2", "Bash", {}, "1")
    assert run(outer, inner, ToolResult("2", "ok"), stopped="idle").how == "infra-timeout"
    assert run(outer, inner, stopped="idle").how == "agent-timeout"
    assert run(outer, stopped="idle").how == "agent-timeout"


@pytest.mark.parametrize("stopped", ["interrupted", "agent-loop"])
def test_whoever_stopped_the_run_is_named(stopped):
    assert run(CALL, status=-9, stopped=stopped).how == stopped


@pytest.mark.parametrize(
    ("stderr", "how"),
    [
        (b"429 rate limited, retry after 1\n", "infra-rate"),
        (b"Error: Too many requests", "infra-rate"),
        (b"HTTP 401 Unauthorized", "infra-auth"),
        (b"403 Forbidden", "infra-auth"),
        (b"your credit balance is too low", "infra-auth"),
        (b"502 Bad Gateway", "infra-server"),
        (b"the model is Overloaded", "infra-server"),
        (b"404 no such model", "harness-config"),
        (b"--dangerously-skip-permissions cannot be used with root/sudo privileges", "harness-config"),
        (b"error: unknown option '--stream'", "harness-config"),
        (b"", "harness-config"),
    ],
)
def test_agent_that_fails_before_it_begins_is_judged_by_its_stderr(stderr, how):
    assert run(status=1, stderr=stderr).how == how


def test_agent_that_fails_later_on_broke_off():
    failed = run(Started("m"), CALL, status=3, stderr=b'File "x.py", line 429\nTypeError: oh\n\n')
    assert failed == Ended("infra-protocol", "the agent ended with status 3: TypeError: oh")
    assert run(Said("half"), WELL, status=3).how == "infra-protocol"


@pytest.mark.parametrize("status", [-signal.SIGKILL, 128 + signal.SIGKILL], ids=["direct", "through a sandbox"])
def test_killed_agent_is_told_by_the_signal(status):
    killed = run(CALL, status=status, stderr=b"429")
    assert killed == Ended("infra-protocol", "the agent was killed by SIGKILL: 429")


def test_output_without_an_end_is_cut_off():
    assert run(CALL, DONE) == Ended("infra-protocol", "the agent's output ended before its result")
    assert "more than is kept" in run(CALL, DONE, truncated=True).message


def test_qwens_turn_limit_is_told_on_stderr():
    trace = recorded("qwen", "turn-limit")
    stderr = b"Reached max session turns for this session. Increase the number of turns\n"
    assert classify(Exit(53, 2.0, "", truncated=False), trace, stderr).how == "turn-limit"


def test_without_a_model_a_failure_is_the_programs_own():
    failed = run(Said("x"), WELL, status=7, stderr=b"no such tool: 429\n", asks_model=False)
    assert failed == Ended("harness-config", "the agent ended with status 7: no such tool: 429")


def test_model_that_answers_nothing_is_a_fault_and_a_silent_program_none():
    assert run(SPENT, WELL).how == "infra-protocol"
    assert run(CALL, DONE, SPENT, WELL) == WELL
    assert run(Said("hm"), SPENT, WELL) == WELL
    assert run(WELL) == WELL
    trace = recorded("claude-code", "empty")
    assert classify(Exit(0, 1.0, "", truncated=False), trace, b"").how == "infra-protocol"


def test_denied_tool_is_a_fault_of_the_setup_whatever_came_of_it():
    denied = Denied("Write", "not granted")
    expected = Ended("harness-config", "the agent was not allowed to use 'Write': not granted")
    assert run(CALL, denied, DONE, SPENT, WELL) == expected
    assert run(CALL, denied, stopped="agent-loop") == expected


def test_skill_that_was_not_offered_is_a_fault_of_the_setup():
    offered = (Started("m", "1", ("a", "b")), CALL, DONE, WELL)
    missing = Ended("not-offered", "the agent was not offered the skill 'x': it lists a, b")
    assert run(*offered, skill="x") == missing
    assert run(*offered, skill="b") == WELL
    assert run(*offered) == WELL
    assert run(Started("m"), CALL, DONE, WELL, skill="x") == WELL


def again(times, agent=""):
    return [ToolCall(str(number), "Bash", {"command": "ls"}, agent) for number in range(times)]


def test_sixth_equal_call_in_a_row_is_a_loop():
    assert watch(again(5)) == ""
    assert watch(again(6)) == "agent-loop"
    assert watch(again(3), limit=2) == "agent-loop"


def test_texts_and_results_do_not_break_a_loop():
    assert (
        watch(event for call in again(6) for event in (Said("again"), call, ToolResult(call.id, "same")))
        == "agent-loop"
    )


def test_other_calls_break_a_loop():
    other_input, other_tool = ToolCall("o", "Bash", {"command": "pwd"}), ToolCall("o", "Read", {"command": "ls"})
    assert watch([*again(5), other_input, *again(5), other_tool, *again(5)]) == ""


def test_nested_agents_loop_each_for_itself():
    alone, both = again(4), again(4, "1")
    assert watch(event for pair in zip(alone, both, strict=True) for event in pair) == ""
    assert watch(event for pair in zip(again(6), again(6, "1"), strict=True) for event in pair) == "agent-loop"


def test_loop_is_told_at_once():
    def endless():
        while True:
            yield from again(1)

    assert watch(endless()) == "agent-loop"
