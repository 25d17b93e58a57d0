"""The conversation itself, against servers on the loopback."""

import os

import pytest
from agent_program.program import Ran, answering, message, text, tool
from model.script import Call, Turn, call, say
from model.server import serve

from skillcheck.agent.editor import editor
from skillcheck.agent.loop import Setup, converse
from skillcheck.agent.shell import shell

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="behavioral evals are POSIX"),
    pytest.mark.usefixtures("impatient"),
]
SETUP = Setup("a-key", "scripted", "You are an agent.", "Do it.", max_turns=9, max_tokens=99, timeout_s=20)


@pytest.fixture
def work(tmp_path):
    return tmp_path


@pytest.fixture
def talk(work, monkeypatch):
    def talked(url, **changes):
        monkeypatch.setenv("ANTHROPIC_BASE_URL", url)
        return Ran(0, list(converse(SETUP._replace(**changes), (shell(work, os.environ, 20), editor(work)))), "")

    return talked


def test_calls_of_one_message_are_answered_together_and_in_order(talk):
    calls = (Call("bash", {"command": "echo 1"}), Call("bash", {"command": "echo 2"}))
    with serve(Turn("Two at once.", calls), say("Done.")) as server:
        ran = talk(server.url)
    told = [event["message"] for event in ran.events if event["type"] == "assistant"]
    assert [message["id"] for message in told] == ["msg_0", "msg_0", "msg_0", "msg_1"]
    assert {(message["usage"]["input_tokens"], message["usage"]["output_tokens"]) for message in told} == {(100, 20)}
    sent = server.requests[1].body["messages"]
    assert [message["role"] for message in sent] == ["user", "assistant", "user"]
    outputs = ["exit code 0\nstdout:\n1\n", "exit code 0\nstdout:\n2\n"]
    assert [block["content"] for block in sent[-1]["content"]] == outputs
    assert [output for output, _ in ran.results()] == outputs


def test_endless_calls_end_at_the_turn_limit(talk, work):
    with serve(call("bash", command="echo again >> log"), repeat=True) as server:
        ran = talk(server.url, max_turns=3)
    assert len(server.requests) == 3
    assert (work / "log").read_text("utf-8") == "again\n" * 3
    assert (ran.result["subtype"], ran.result["is_error"], ran.result["num_turns"]) == ("error_max_turns", True, 3)
    assert ran.result["result"] == "the limit of 3 turns is reached"


@pytest.mark.parametrize("status", [400, 401])
def test_a_refused_request_ends_the_run_with_its_status(talk, status):
    with serve(call("bash", command="true"), say("").failing("status", status)) as server:
        ran = talk(server.url)
    assert len(server.requests) == 2
    assert (ran.result["subtype"], ran.result["is_error"]) == ("error_during_execution", True)
    assert ran.result["api_error_status"] == status
    assert ran.result["result"].startswith(f"API error: {status} ")
    assert ran.result["usage"]["input_tokens"] == 100


@pytest.mark.parametrize("status", [429, 500])
def test_a_passing_fault_is_tried_again(talk, status):
    with serve(say("Done.").failing("status", status, times=2, retry_after=0)) as server:
        ran = talk(server.url)
    assert (ran.result["subtype"], ran.result["result"], len(server.requests)) == ("success", "Done.", 3)


@pytest.mark.parametrize("status", [429, 529])
def test_a_lasting_fault_ends_the_run_with_its_status(talk, status):
    with serve(say("Done.").failing("status", status, retry_after=0)) as server:
        ran = talk(server.url)
    assert (ran.result["is_error"], ran.result["api_error_status"], len(server.requests)) == (True, status, 3)


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("html", "API error: the answer is no message of the Messages API; is ANTHROPIC_BASE_URL right?"),
        ("malformed", "API error: "),
        ("drop", "API error: Connection error."),
    ],
)
def test_nonsense_ends_the_run_without_a_status(talk, fault, told):
    with serve(say("Done.").failing(fault)) as server:
        ran = talk(server.url)
    assert (ran.result["subtype"], ran.result["api_error_status"]) == ("error_during_execution", None)
    assert ran.result["result"].startswith(told)


def test_a_silent_server_is_given_up(talk):
    with serve(say("Done.").failing("hang")) as server:
        ran = talk(server.url, timeout_s=0.3)
    assert (ran.result["subtype"], len(server.requests)) == ("error_during_execution", 3)
    assert ran.result["result"].startswith("API error: Request timed out")


@pytest.mark.parametrize(
    ("fault", "name"),
    [
        (message(text("And"), stop="max_tokens"), "context-limit"),
        (message(text("And"), stop="model_context_window_exceeded"), "context-limit"),
        ({}, "infra-protocol"),
    ],
    ids=("max-tokens", "context", "nonsense"),
)
def test_the_reader_of_claudes_stream_knows_the_fault(talk, fault, name):
    with answering(fault) as server:
        ran = talk(server.url)
    assert ran.trace().ended.how == name


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "nonsense", "http://["])
def test_a_server_that_is_not_there_ends_the_run(talk, url):
    ran = talk(url)
    assert ran.result["subtype"] == "error_during_execution"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"content": None},
        {"type": "message", "content": "text"},
        message("text"),
        message({"type": "text"}),
        message({"type": "tool_use", "name": "bash", "input": {}}),
        message({"type": ["text"]}),
        [],
    ],
    ids=("nothing", "null", "text", "no-block", "no-text", "no-id", "no-type", "list"),
)
def test_half_a_message_ends_the_run(talk, body):
    with answering(body) as server:
        ran = talk(server.url)
    assert ran.result["subtype"] == "error_during_execution"
    assert ran.result["result"].startswith("API error: the answer is no ")


def test_an_answer_cut_off_is_an_error_and_its_calls_are_not_run(talk, work):
    with answering(message(tool("bash", {"command": "touch ran"}), stop="max_tokens")) as server:
        ran = talk(server.url)
    assert (ran.result["subtype"], ran.result["api_error"]) == ("error_during_execution", "max_output_tokens")
    assert ran.result["result"] == "the answer reached the limit of --max-tokens and was cut off"
    assert not (work / "ran").exists()


def test_a_full_context_is_an_error(talk):
    with answering(message(text("And"), stop="model_context_window_exceeded")) as server:
        ran = talk(server.url)
    assert (ran.result["is_error"], ran.result["result"]) == (True, "the conversation fills the model's context window")


@pytest.mark.parametrize("stop", ["end_turn", "stop_sequence", "refusal", None])
def test_a_text_ends_the_run(talk, stop):
    with answering(message(text("That is "), text("all."), stop=stop)) as server:
        ran = talk(server.url)
    assert (ran.result["subtype"], ran.result["result"]) == ("success", "That is all.")


def test_a_refusal_runs_no_calls(talk, work):
    with answering(message(text("No."), tool("bash", {"command": "touch ran"}), stop="refusal")) as server:
        ran = talk(server.url)
    assert (ran.result["is_error"], ran.result["result"]) == (False, "No.")
    assert not (work / "ran").exists()


def test_a_pause_is_gone_on_from(talk):
    with answering(message(text("Wait."), stop="pause_turn"), message(text("Done."))) as server:
        ran = talk(server.url)
    assert (ran.result["is_error"], ran.result["result"]) == (False, "Done.")
    assert server.asked[1]["messages"][1:] == [{"role": "assistant", "content": [text("Wait.")]}]


@pytest.mark.parametrize("nothing", [message(), message(text(""))], ids=("no-block", "empty-text"))
def test_an_empty_answer_is_asked_for_once_more(talk, nothing):
    with answering(nothing, message(text("Done."))) as server:
        ran = talk(server.url)
    assert (ran.result["result"], ran.result["num_turns"]) == ("Done.", 2)
    assert server.asked[0] == server.asked[1]
    with answering(nothing, nothing) as server:
        ran = talk(server.url)
    assert (ran.result["subtype"], ran.result["result"]) == ("success", "")
