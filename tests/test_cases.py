"""Case files are read leniently: whatever is wrong is told once, with its place, and the rest counts."""

from pathlib import Path

import pytest

from skillcheck.catalog import cases
from skillcheck.catalog.card import GRADES, NO_CARD, Acceptance, Card
from skillcheck.span import Span

EVAL = '{"id": 1, "prompt": "p", "expected_output": "o", "expectations": ["x"]%s}'


def parse(text):
    return cases.parse(Path("a.json"), "a.json", text)


def faults(file):
    return [(f.rule, f"{f.problem.span.line}:{f.problem.span.column}", f.problem.message) for f in file.faults]


def positive(entry):
    return '{"skill_name": "a", "trigger": {"positive": [\n%s]}}' % entry  # noqa: UP031 - braces


def evals(entry):
    return '{"skill_name": "a", "evals": [\n%s]}' % entry  # noqa: UP031 - braces


def test_prompts_and_evals_are_read():
    file = parse(
        '\ufeff{"skill_name": "a", "trigger": {"positive": [{"prompt": "x", "top_k": 2}, {"prompt": "y"}],'
        ' "negative": [{"prompt": "z", "owner": "b"}]}, "evals": ['
        + EVAL % ', "files": ["f"], "trust_level": "provisional"'
        + "]}"
    )
    assert file.faults == ()
    assert [(p.text, p.top_k, p.at) for p in file.positives] == [
        ("x", 2, ("trigger", "positive", 0)),
        ("y", None, ("trigger", "positive", 1)),
    ]
    assert [(p.text, p.owner) for p in file.negatives] == [("z", "b")]
    (only,) = file.evals
    assert (only.id, only.kind, only.files, only.provisional) == (1, "execution", ("f",), True)
    assert file.span("trigger", "positive", 1, "prompt") == Span(1, 86, 1, 89)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        pytest.param("", ("invalid-json", "1:1", "not JSON: the file is empty"), id="empty"),
        pytest.param("null", ("case-schema", "1:1", 'null is not of type "object"'), id="null"),
        pytest.param("[]", ("case-schema", "1:1", '[] is not of type "object"'), id="list"),
        pytest.param("5", ("case-schema", "1:1", '5 is not of type "object"'), id="number"),
        pytest.param("{}", ("case-schema", "1:1", '"skill_name" is a required property'), id="no name"),
        pytest.param('{"skill_name": 5}', ("case-schema", "1:16", 'skill_name: 5 is not of type "string"'), id="5"),
        pytest.param("{]", ("invalid-json", "1:2", None), id="no JSON"),
        pytest.param('{"skill_name": "a",\n}', ("invalid-json", "1:19", None), id="comma"),
        pytest.param('{"skill_name": "a"} x', ("invalid-json", "1:21", None), id="more than one value"),
        pytest.param("// x\n{}", ("invalid-json", "1:1", None), id="comment"),
        pytest.param("[" * 99_999, ("invalid-json", "1:1", None), id="deep, unclosed"),
        pytest.param('{"skill_name": ' + "[" * 99 + "]" * 99 + "}", ("invalid-json", "1:1", None), id="deep"),
        pytest.param('{"skill_name": NaN}', ("invalid-json", "1:16", "not JSON: NaN is not JSON"), id="NaN"),
        pytest.param('{"skill_name": "\\ud800"}', ("invalid-json", "1:17", None), id="half a character"),
        pytest.param('{"skill_name": "a", "trigger": null}', ("case-schema", "1:32", None), id="null trigger"),
        pytest.param('{"skill_name": "a", "evals": {}}', ("case-schema", "1:30", None), id="evals of another type"),
        pytest.param(
            '{"skill_name": "a",\n"timeout_s": 5}',
            ("unknown-key", "2:1", "unknown key timeout_s: nothing reads it"),
            id="unknown key",
        ),
        pytest.param(
            '{"skill-name": "a"}',
            ("misspelled-key", "1:2", "unknown key skill-name; did you mean 'skill_name'"),
            id="mistyped name",
        ),
        pytest.param(
            positive('{"promt": "x"}'),
            ("misspelled-key", "2:2", "unknown key trigger.positive[0].promt; did you mean 'prompt'"),
            id="mistyped prompt",
        ),
        pytest.param(
            '{"skill_name": "a",\n"skill_name": "b"}',
            ("repeated-key", "2:1", "key skill_name stands twice: line 1 has it already"),
            id="repeated key",
        ),
        pytest.param(
            '{"skill_name": "a",\n"trigger": {"positive": []}, "trigger": {"positive": [{"prompt": "x"}]}}',
            ("repeated-key", "2:30", "key trigger stands twice: line 2 has it already"),
            id="repeated key, not what is below",
        ),
        pytest.param(
            positive("null"),
            ("case-schema", "2:1", 'trigger.positive[0]: null is not of type "object"'),
            id="null entry",
        ),
        pytest.param(positive('"x"'), ("case-schema", "2:1", None), id="bare string"),
        pytest.param(
            positive("{}"),
            ("case-schema", "2:1", 'trigger.positive[0]: "prompt" is a required property'),
            id="no prompt",
        ),
        pytest.param(positive('{"prompt": 5}'), ("case-schema", "2:12", None), id="number for a prompt"),
        pytest.param(positive('{"prompt": ["x"]}'), ("case-schema", "2:12", None), id="list for a prompt"),
        *(
            pytest.param(
                positive(f'{{"prompt": "x", "top_k": {value}}}'), ("case-schema", "2:26", None), id=f"top_k {value}"
            )
            for value in ("0", "-1", '"two"', "true", "1.5", "null", "[]", "1e999")
        ),
        pytest.param(evals("null"), ("case-schema", "2:1", 'evals[0]: null is not of type "object"'), id="null eval"),
        pytest.param(
            evals(EVAL % ', "kind": "conversation"'),
            ("case-schema", "2:81", 'evals[0].kind: "conversation" is not one of "execution" or "dialogue"'),
            id="unknown kind",
        ),
        pytest.param(evals(EVAL % ', "files": "f"'), ("case-schema", "2:82", None), id="string for files"),
        pytest.param(
            evals(EVAL % ', "checks": {}'),
            ("case-schema", "2:83", 'evals[0].checks: {} is not of type "array"'),
            id="checks",
        ),
        pytest.param(
            evals(EVAL % ', "checks": [{"typ": "x"}]'),
            ("case-schema", "2:84", 'evals[0].checks[0]: "type" is a required property'),
            id="check without a type",
        ),
        pytest.param(evals(EVAL % ', "checks": [{"type": 3}]'), ("case-schema", "2:93", None), id="type of a check"),
        pytest.param(evals(EVAL % ', "solution": ""'), ("case-schema", "2:85", None), id="empty solution"),
        pytest.param(evals(EVAL % ', "files": [5]'), ("case-schema", "2:83", None), id="number for a file"),
        pytest.param(
            evals(EVAL.replace("1", '"../x"', 1) % ""),
            ("case-schema", "2:8", "evals[0].id: \"../x\" can't be part of a file's name"),
            id="id that climbs",
        ),
        pytest.param(
            evals(EVAL.replace("1", "-5", 1) % ""),
            ("case-schema", "2:8", "evals[0].id: -5 is less than the minimum of 0"),
            id="negative id",
        ),
        pytest.param(evals(EVAL.replace("1", "true", 1) % ""), ("case-schema", "2:8", None), id="boolean id"),
        pytest.param(
            evals(EVAL.replace('"x"', '" "') % ""),
            ("case-schema", "2:67", 'evals[0].expectations[0]: " " is blank'),
            id="blank expectation",
        ),
        pytest.param(
            evals(EVAL.replace("expectations", "expectation") % ""),
            ("misspelled-key", "2:50", "unknown key evals[0].expectation; did you mean 'expectations'"),
            id="mistyped required key of an eval",
        ),
    ],
)
def test_fault_is_told_once_and_placed(text, fault):
    ((rule, place, message),) = faults(parse(text))
    assert (rule, place) == fault[:2]
    assert fault[2] is None or message == fault[2]


def test_checks_and_a_solution_are_read_as_they_are_written():
    check = '{"type": "nothing", "typ": 1, "deep": {"tpye": 2}}'
    file = parse(evals(EVAL % f', "checks": [{check}], "solution": "box/.eval/solve"'))
    assert file.faults == ()
    assert file.evals[0].checks == ({"type": "nothing", "typ": 1, "deep": {"tpye": 2}},)
    assert file.evals[0].solution == "box/.eval/solve"
    (plain,) = parse(evals(EVAL % "")).evals
    assert (plain.checks, plain.solution) == ((), "")


@pytest.mark.parametrize("expectations", ["", ', "expectations": []'])
def test_expectations_may_be_left_out_where_there_are_checks(expectations):
    entry = '{"id": 1, "prompt": "p", "expected_output": "o", "checks": [%s]%s}'
    file = parse(evals(entry % ('{"type": "x"}', expectations)))
    assert (file.faults, file.evals[0].expectations) == ((), ())
    file = parse(evals(entry % ("", expectations)))
    told = "evals[0].expectations: [] has less than 1 item"
    told = told if expectations else 'evals[0]: "expectations" is a required property'
    assert (len(file.evals), [message for _, _, message in faults(file)]) == (0, [told])


def test_unusable_entries_are_left_out_and_counted():
    file = parse(positive('null, {"prompt": 5}, {"prompt": "x", "top_k": "two"}'))
    assert [(p.text, p.top_k, p.at[-1]) for p in file.positives] == [("x", None, 2)]
    assert file.declared("trigger", "positive") == 3
    assert len(file.faults) == 3


@pytest.mark.parametrize(
    ("text", "count"),
    [
        pytest.param('{"skill_name": "a"}', 0, id="absent"),
        pytest.param('{"skill_name": "a", "trigger": {"positives": []}}', None, id="under a mistyped key"),
        pytest.param('{"skill_name": "a", "triggers": {}}', None, id="under a mistyped object"),
        pytest.param('{"skill_name": "a", "trigger": []}', None, id="inside of no object"),
        pytest.param('{"skill_name": "a", "trigger": {"positive": "x"}}', None, id="no list"),
        pytest.param("null", None, id="no case file"),
        pytest.param("{", None, id="no JSON"),
    ],
)
def test_entries_are_counted_where_they_can_be(text, count):
    assert parse(text).declared("trigger", "positive") == count


def test_whole_numbers_may_be_written_as_floats():
    file = parse(
        '{"skill_name": "a", "trigger": {"positive": [{"prompt": "x", "top_k": 2.0}]}, "evals": ['
        + EVAL.replace("1", "1.0", 1) % ""
        + "]}"
    )
    assert file.faults == ()
    assert (file.positives[0].top_k, file.evals[0].id) == (2, 1)


def test_messages_and_their_number_are_bounded():
    file = parse(positive(",".join(["5"] * 999)).replace('"a"', f'["{"x" * 9999}"]'))
    assert len(file.faults) == cases.MAX_FAULTS
    assert all(len(fault.problem.message) < 200 for fault in file.faults)


def test_a_card_is_read_with_what_the_judge_grades_for_it():
    card = (
        ', "difficulty": 2.0, "category": "edge", "tags": ["math"], "constraints": ["c"], "judge_explanation": true, '
        '"acceptance": [{"text": "a", "evidence": "expectations[0]"}, {"text": "b", "evidence": "rubric"}]'
    )
    (found,) = cases.parse(Path("a.json"), "a.json", f'{{"skill_name": "a", "evals": [{EVAL % card}]}}').evals
    items = (Acceptance("a", "expectations[0]"), Acceptance("b", "rubric"))
    assert found.card == Card(2, "edge", items, ("c",), ("math",), judge_explanation=True)
    assert [item.shown_by for item in items] == [("expectations", 0), None]
    assert found.judged == (
        ("x", "", ("expectations", 0)),
        ("c", "constraint", ("constraints", 0)),
        ("b", "acceptance", ("acceptance", 1)),
        *((text, "explanation", ("judge_explanation",)) for text in GRADES),
    )


def test_an_eval_needs_no_card():
    (found,) = cases.parse(Path("a.json"), "a.json", f'{{"skill_name": "a", "evals": [{EVAL % ""}]}}').evals
    assert found.card == NO_CARD
    assert found.judged == (("x", "", ("expectations", 0)),)
