"""Streams of another shape than their harness knows."""

import pytest
from harness.runs import read

from skillcheck.evals.harness import named

RECORDS = {
    "codex": ('{"type":"item.completed"}', '{"type":"turn.completed","usage":7}'),
    "gemini": ('{"type":"init"}', '{"type":"tool_result","tool_id":"unheard of","status":"success"}'),
    "opencode": ('{"type":"text","part":[]}', '{"type":"step_finish","part":{"tokens":{}}}'),
    "pi": ('{"type":"message_end","message":{"role":"assistant"}}', '{"type":"tool_execution_start"}'),
}


@pytest.mark.parametrize("name", RECORDS)
def test_records_of_another_shape_are_counted_and_no_more(name):
    assert read(name, *RECORDS[name]).malformed == 2


@pytest.mark.parametrize("name", RECORDS)
def test_garbage_is_counted_and_records_of_unknown_kinds_are_passed_over(name):
    trace = read(name, "not json", "[]", '{"type":"brand new"}', "{}")
    assert trace.malformed == 2
    assert trace.events == ()


@pytest.mark.parametrize("name", RECORDS)
def test_harness_says_what_it_needs(name):
    harness = named(name)
    assert harness.name == harness.program == name
    assert harness.tested
    assert harness.keys
