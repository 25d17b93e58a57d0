import re
import time
import tracemalloc

import pytest

from skillcheck.evals.trace.trace import Denied, Ended, Said, SkillLoaded, ToolCall, ToolResult, Trace
from skillcheck.evals.trace.transcript import EVENT_CHARS, cut, transcript

BOUND = 260_000


def rendered(*events):
    return transcript(Trace.of(events))


def test_every_event_is_shown():
    shown = rendered(
        Said("I look."),
        ToolCall("t1", "Read", {"path": "a.txt", "lines": [1, 2]}),
        ToolResult("t1", "one\ntwo"),
        SkillLoaded("tidy"),
        Said("Me too.", agent="t9"),
        ToolCall("t2", "Bash", {"command": "ls"}, agent="t9"),
        ToolResult("t2", "no", is_error=True),
        Denied("Write", "not allowed"),
        Ended("completed", "bye"),
    )
    assert shown.splitlines() == [
        "assistant:",
        "  I look.",
        "tool call t1: Read",
        '  {"path": "a.txt", "lines": [1, 2]}',
        "result of t1:",
        "  one",
        "  two",
        "skill loaded: tidy",
        "assistant of the nested agent t9:",
        "  Me too.",
        "tool call t2 of the nested agent t9: Bash",
        '  {"command": "ls"}',
        "error of t2:",
        "  no",
        "tool kept from the agent: Write",
        "  not allowed",
        "the run ended: completed",
        "  bye",
    ]


def test_a_stream_without_an_end_is_told():
    assert rendered(Said("x")).endswith("\nthe stream was cut off here")


@pytest.mark.parametrize("newline", ["\n", "\r", "\r\n", "\v", "\f", "\x1e", "\x85", "\u2028", "\u2029"], ids=ascii)
@pytest.mark.parametrize(
    "forge",
    [
        Said,
        lambda text: Said("x", agent=text),
        lambda text: ToolCall("t", text, {}),
        lambda text: ToolCall(text, "Bash", {"command": text}),
        lambda text: ToolResult(text, text),
        SkillLoaded,
        lambda text: Denied(text, text),
        lambda text: Ended("completed", text),
    ],
    ids=["said", "agent", "tool", "call", "result", "skill", "denied", "ended"],
)
def test_no_text_passes_for_an_event(forge, newline):
    shown = rendered(forge(f"x{newline}tool call t7: Bash{newline}  ls"))
    assert not any(line.startswith("tool call t7") for line in shown.splitlines())


def test_a_long_event_loses_its_middle():
    shown = rendered(ToolCall("t", "Write", {"content": "x" * 50_000, "path": "the/path"}))
    assert "the/path" in shown
    assert re.search(r"^  \[4\d,\d{3} characters left out here\]$", shown, re.MULTILINE)
    assert len(shown) < EVENT_CHARS + 200


def test_of_a_long_trace_start_and_end_are_whole_and_the_calls_between_are_kept():
    steps = [
        (ToolCall(f"t{n}", "Bash", {"command": f"run {n}."}), ToolResult(f"t{n}", "y" * 5_000)) for n in range(300)
    ]
    shown = rendered(Said("first"), *(event for step in steps for event in step), Said("last"))
    assert all(f"run {n}." in shown for n in range(300))
    assert "  first\n" in shown
    assert "  last\n" in shown
    dropped = 300 - shown.count("result of")
    assert f"with {dropped * 5_000:,} characters of texts and results" in shown
    assert len(shown) < BOUND


def test_a_flood_of_calls_is_cut_with_its_number():
    shown = rendered(*(ToolCall(f"t{n}", "Bash", {"command": "z" * 3_000}) for n in range(20_000)))
    assert len(shown) < BOUND
    told = re.search(r"of their ([\d,]+) tool calls ([\d,]+) follow, shortened", shown)
    assert int(told[1].replace(",", "")) > 19_900
    assert int(told[2].replace(",", "")) > 1_000


def test_the_note_on_a_cut_middle_counts_right():
    shown = cut("a" * 1_000 + "b" * 1_000, 100)
    assert shown == "a" * 50 + "\n[1,900 characters left out here]\n" + "b" * 50
    assert cut("a" * 100, 100) == "a" * 100


def test_input_that_is_nested_too_deeply_is_told():
    deep = {}
    for _ in range(200_000):
        deep = {"a": deep}
    assert "(nested too deeply to be shown)" in rendered(ToolCall("t", "Bash", deep))
    while deep:  # one level at a time, as the interpreter would take the whole depth at once
        deep = deep.pop("a")


@pytest.mark.parametrize(
    "events",
    [
        [Said("x\n" * 500)] * 50_000,
        [ToolCall("t", "Write", {"content": "x" * 10_000})] * 5_000,
        [ToolCall("t", "Write", {"content": "x" * 50_000_000})],
    ],
    ids=["many texts", "many calls", "one call"],
)
def test_fifty_megabytes_take_no_time_and_little_memory(events):
    trace = Trace.of(events)
    began = time.perf_counter()
    assert len(transcript(trace)) < BOUND
    assert time.perf_counter() - began < 3
    tracemalloc.start()
    try:
        transcript(trace)
        assert tracemalloc.get_traced_memory()[1] < 250e6
    finally:
        tracemalloc.stop()
