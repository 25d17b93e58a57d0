"""Claude's stream in the shapes that matter, line by line."""

import json

import pytest

from skillcheck.evals.trace.claude_stream import parse
from skillcheck.evals.trace.trace import (
    Denied,
    Ended,
    Malformed,
    Said,
    SkillLoaded,
    Spent,
    Started,
    ToolCall,
    ToolResult,
    Trace,
    Usage,
)


def read(*records):
    return tuple(parse(json.dumps(record).encode() + b"\n" for record in records))


def init(**fields):
    return {"type": "system", "subtype": "init", **fields}


def message(ident="m1", *content, usage=(0, 0, 0, 0), **fields):
    names = ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return {
        "type": "assistant",
        "message": {"id": ident, "content": list(content), "usage": dict(zip(names, usage, strict=True))},
        **fields,
    }


def text(said):
    return {"type": "text", "text": said}


def use(name="Bash", ident="t1", **arguments):
    return {"type": "tool_use", "id": ident, "name": name, "input": arguments}


def outcome(content="ok", ident="t1", **fields):
    block = {"type": "tool_result", "tool_use_id": ident, "content": content, **fields}
    return {"type": "user", "message": {"content": [block]}}


def result(**fields):
    return {"type": "result", "subtype": "success", "is_error": False, "result": "", **fields}


def end(**fields):
    return Trace.of(read(result(is_error=True, **fields))).ended


def test_usage_is_that_of_the_result_and_not_of_its_messages():
    told = {"input_tokens": 8, "output_tokens": 60, "cache_creation_input_tokens": 1000, "cache_read_input_tokens": 9}
    events = read(message("m1", usage=(3, 1, 1000, 0)), result(usage=told, total_cost_usd=0.0123))
    assert Spent(Usage(8, 60, 1000, 9), 0.0123) in events
    assert sum(isinstance(event, Spent) for event in events) == 1


def test_without_a_result_the_last_record_of_each_message_counts_and_the_cost_is_unknown():
    trace = Trace.of(
        read(
            message("m1", text("a"), usage=(3, 1, 1000, 0)),
            message("m1", use(), usage=(3, 40, 1000, 0)),
            message("n1", text("nested"), usage=(50, 10, 0, 0), parent_tool_use_id="t9"),
            message("m2", text("b"), usage=(5, 20, 0, 1000)),
        )
    )
    assert (trace.usage, trace.cost_usd, trace.ended) == (Usage(8, 60, 1000, 1000), None, None)


def test_of_several_results_usages_add_up_but_the_cost_is_the_last_one():
    first = result(usage={"input_tokens": 200, "output_tokens": 40}, total_cost_usd=0.004)
    second = result(usage={"input_tokens": 100, "output_tokens": 20}, total_cost_usd=0.005)
    trace = Trace.of(read(first, second))
    assert (trace.usage, trace.cost_usd) == (Usage(300, 60), 0.005)


def test_work_after_the_last_result_is_counted_at_an_unknown_cost():
    trace = Trace.of(read(result(usage={"input_tokens": 10}, total_cost_usd=1), message("m9", usage=(5, 1, 0, 0))))
    assert (trace.usage, trace.cost_usd) == (Usage(15, 1), None)


def test_result_without_usage_falls_back_on_its_messages():
    assert Trace.of(read(message(usage=(4, 2, 0, 0)), result())).usage == Usage(4, 2)


def test_input_that_includes_what_was_read_from_the_cache_is_not_counted_twice():
    told = {"input_tokens": 100, "output_tokens": 20, "cache_read_input_tokens": 60, "total_tokens": 120}
    assert Trace.of(read(result(usage=told))).usage == Usage(40, 20, 0, 60)


@pytest.mark.parametrize("cost", [None, "free", float("nan"), float("inf")], ids=str)
def test_cost_that_is_no_amount_is_unknown(cost):
    assert Trace.of(read(result(total_cost_usd=cost))).cost_usd is None


def test_skill_counts_once_its_result_is_good():
    assert SkillLoaded("x") in read(message("m1", use("Skill", skill="x")), outcome())
    assert SkillLoaded("x") not in read(message("m1", use("Skill", skill="x")))
    assert SkillLoaded("x") not in read(message("m1", use("Skill", skill="x")), outcome(is_error=True))


def test_skill_of_a_plugin_goes_by_its_own_name():
    events = read(init(skills=["plug:x", "y"]), message("m1", use("Skill", skill="plug:x")), outcome())
    assert events[0] == Started("", "", ("x", "y"))
    assert events[-2] == SkillLoaded("x")


def test_agent_that_lists_no_skills_leaves_them_unknown():
    assert read(init(model="m")) == (Started("m"),)


def test_nested_agents_are_named_by_the_call_that_started_them():
    events = read(message("m1", text("hi"), use("Bash", "t2", command="ls"), parent_tool_use_id="t1"))
    assert events == (Said("hi", "t1"), ToolCall("t2", "Bash", {"command": "ls"}, "t1"))


def test_results_of_tools_may_come_in_parts():
    content = [text("one"), {"type": "image", "source": {}}, text("two")]
    assert read(outcome(content)) == (ToolResult("t1", "one\n\ntwo"),)


def test_what_the_cli_says_in_the_name_of_either_side_is_no_event():
    by_the_user = {"type": "user", "isSynthetic": True, "message": {"content": [text("Base directory for this skill")]}}
    by_the_model = {"type": "assistant", "message": {"model": "<synthetic>", "content": [text("API Error")]}}
    assert read(by_the_user, by_the_model) == ()


def test_text_of_the_result_is_said_where_nothing_else_was():
    assert Trace.of(read(result(result="all done"))).said == ("all done",)
    assert Trace.of(read(message("m1", text("done.")), result(result="all done"))).said == ("done.",)


def test_denials_of_the_result_are_told_unless_they_were_before():
    live = {
        "type": "system",
        "subtype": "permission_denied",
        "tool_name": "Write",
        "tool_use_id": "t1",
        "message": "no",
    }
    late = [{"tool_name": "Write", "tool_use_id": "t1"}, {"tool_name": "Bash", "tool_use_id": "t2"}]
    events = read(live, result(permission_denials=late))
    assert [event for event in events if isinstance(event, Denied)] == [Denied("Write", "no"), Denied("Bash")]


@pytest.mark.parametrize(
    ("fields", "how"),
    [
        ({"api_error_status": 401, "result": "Invalid API key"}, "infra-auth"),
        ({"api_error_status": 403, "result": "no"}, "infra-auth"),
        ({"api_error_status": 400, "result": "Your credit balance is too low"}, "infra-auth"),
        ({"api_error_status": 404, "result": "no such model"}, "harness-config"),
        ({"api_error_status": 429, "result": "slow down"}, "infra-rate"),
        ({"api_error_status": 529, "result": "busy"}, "infra-server"),
        ({"api_error_status": None, "terminal_reason": "api_error", "result": "Request timed out"}, "infra-protocol"),
        ({"api_error_status": 400, "terminal_reason": "prompt_too_long"}, "context-limit"),
        ({"api_error": "max_output_tokens", "result": "exceeded the 128000 output token maximum"}, "context-limit"),
        ({"subtype": "error_max_turns", "errors": ["Reached maximum number of turns (4)"]}, "turn-limit"),
        ({"subtype": "error_max_budget_usd"}, "agent-budget"),
        ({"subtype": "error_during_execution", "result": "API Error: 529 overloaded"}, "infra-server"),
        ({"subtype": "error_during_execution", "error": {"message": "[API Error: 401 no]"}}, "infra-auth"),
        (
            {"subtype": "error_during_execution", "error": {"message": "Loop detection halted the run (x)"}},
            "agent-loop",
        ),
        ({"subtype": "error_during_execution"}, "infra-protocol"),
    ],
)
def test_failure_has_its_class(fields, how):
    assert end(**fields).how == how


def test_failure_is_read_from_is_error_and_the_subtype_only_without_it():
    assert end(subtype="success").how == "infra-protocol"
    assert read(result(subtype="error_max_turns"))[-1] == Ended("completed")
    assert read({"type": "result", "subtype": "error_max_turns"})[-1] == Ended("turn-limit", "error_max_turns")


def test_failure_without_a_status_has_that_of_the_message_before():
    told = {"type": "assistant", "error": "rate_limit", "message": {"model": "<synthetic>", "content": []}}
    assert Trace.of(read(told, result(is_error=True, result="try later"))).ended == Ended("infra-rate", "try later")


@pytest.mark.parametrize(
    "record",
    [
        {"type": "assistant"},
        {"type": "assistant", "message": None},
        {"type": "assistant", "message": {"content": 7, "usage": []}},
        {"type": "assistant", "message": {"content": [None, {"type": "text"}, {"type": "text", "text": 5}]}},
        {"type": "user", "message": {"content": [3, {"type": "other"}]}},
        {"type": "system"},
        {"type": ["no"]},
        {"no": "type"},
    ],
    ids=json.dumps,
)
def test_records_without_what_they_should_have_say_nothing(record):
    assert read(record) == ()


def test_results_of_odd_shape_still_end_the_run():
    odd = {"usage": {"input_tokens": "many"}, "permission_denials": 3, "errors": {}, "result": []}
    assert read(result(**odd)) == (Spent(Usage()), Ended("completed"))


def test_lines_that_are_no_objects_are_counted():
    lines = [b"\xff\xfe\n", b"[1]\n", b"\n", b'{"type":"assist', b"[" * 100_000]
    assert list(parse(lines)) == [Malformed(4)]


def test_events_come_while_the_stream_runs():
    def live():
        yield json.dumps(message("m1", text("first"))).encode()
        pytest.fail("the second line was asked for before the first was read")

    assert next(parse(live())) == Said("first")
