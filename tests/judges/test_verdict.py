import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judges.conftest import answer

from skillcheck.evals.grading.verdict import Judgement, UnusableError, verdict

FENCE = "0123456789abcdef0123456789abcdef"
WANTED = ("first", "second")
GOOD = answer("pf")


def read(text, wanted=WANTED, prompt=""):
    return verdict(text, wanted, prompt, FENCE)


def entries(*given):
    return json.dumps({"expectations": given})


def entry(**keys):
    return {"passed": True, "evidence": "e", **keys}


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"Here:\n```json\n{GOOD}\n```\nBye {{ok}}",
        'Well {x} and {}, {"a": 1}: ' + GOOD + " }{",
        f"{GOOD}\nAgain: {GOOD}",
        f"[{GOOD}]",
        entries(entry(id=2, passed=False, evidence="seen 2"), entry(id=1, text="invented", evidence="seen 1")),
        entries(entry(evidence="seen 1"), entry(passed=False, evidence="seen 2")),
        entries(entry(text="t", evidence="seen 1"), entry(text="u", passed=False, evidence="seen 2")),
        entries(entry(text="first", evidence="seen 1"), entry(text="second", passed=False, evidence="seen 2")),
        GOOD[:-1] + ', "summary": {"passed": 2, "failed": 0, "total": 7, "pass_rate": 42}}',
    ],
    ids=[
        "bare", "fenced", "stray braces", "twice the same", "in a list", "any order", "by position", "texts of its own",
        "texts of the case", "wrong totals",
    ],
)  # fmt: skip
def test_an_answer_is_found_and_bound_to_the_case(text):
    assert read(text) == (
        Judgement("first", passed=True, evidence="seen 1"),
        Judgement("second", passed=False, evidence="seen 2"),
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the answer holds no JSON object with"),
        ("All good, everything passed.", "the answer holds no JSON object with"),
        ("[true]", "the answer holds no JSON object with"),
        ("null", "the answer holds no JSON object with"),
        (GOOD[:-9], "the answer holds no JSON object with"),
        ('{"result": ' + GOOD + "}", "the answer holds no JSON object with"),
        (GOOD + answer("pp"), "several objects"),
        (f"{GOOD} {FENCE}", "the answer repeats the prompt"),
        (GOOD[:-1] + ', "summary": {"pass_rate": NaN}}', "the answer holds NaN, which is no JSON"),
        ('{"x": -Infinity} ' + GOOD, "the answer holds -Infinity, which is no JSON"),
        ('{"result": ' + GOOD + ', "rate": NaN}', "the answer holds NaN"),
        (GOOD.replace('"passed": false', '"passed": false, "passed": true'), "has a key twice"),
        ('{"a":' * 100_000, "more than"),
        ('{"a":' * 20_000, "nested too deeply"),
        ('{"expectations": null}', "is no list of objects"),
        ('{"expectations": [null, null]}', "is no list of objects"),
        ('{"expectations": {"1": true, "2": true}}', "is no list of objects"),
        ('{"expectations": []}', "has 0 entries for 2 expectations"),
        (answer("p"), "has 1 entries for 2 expectations"),
        (answer("ppp"), "has 3 entries for 2 expectations"),
        (entries(entry(id=1), entry(id=1)), r"the ids in the answer are \[1, 1\], not 1 to 2, each once"),
        (entries(entry(id=0), entry(id=1)), r"\[0, 1\]"),
        (entries(entry(id=1), entry()), r"\[1, null\]"),
        (entries(entry(id=True), entry(id=2)), r"\[true, 2\]"),
        (entries(entry(id="1"), entry(id="2")), r'\["1", "2"\]'),
        (entries(entry(id=1.0), entry(id=2)), r"\[1.0, 2\]"),
        (entries(entry(id=[1]), entry(id={})), r"\[\[1\], \{\}\]"),
        (entries(entry(text="second"), entry(text="first")), "in another order"),
        (entries(entry(text="first"), entry(text="first")), "in another order"),
        (entries(entry(text="t"), entry(text="t")), "are repeated"),
        (entries(entry(id=1, passed=1), entry(id=2)), '"passed" in the answer is 1, neither true nor false'),
        (entries(entry(id=1, passed="true"), entry(id=2)), '"passed" in the answer is "true"'),
        (entries({"id": 1, "evidence": "e"}, entry(id=2)), '"passed" in the answer is null'),
        (entries(entry(id=1, evidence=" \n"), entry(id=2)), '"evidence" in the answer is missing or blank'),
        (entries(entry(id=1, evidence=7), entry(id=2)), '"evidence" in the answer is missing or blank'),
    ],
)
def test_anything_else_is_unusable_with_its_reason(text, reason):
    with pytest.raises(UnusableError, match=reason):
        read(text)


def test_an_answer_copied_from_the_data_is_unusable():
    with pytest.raises(UnusableError, match="copied from the data"):
        read(f"I found {GOOD}", prompt=f"result:\n  {GOOD}\n")


def test_expectations_that_are_the_same_may_be_answered_by_their_text():
    both = entries(entry(text="same"), entry(text="same", passed=False))
    assert [one.passed for one in read(both, ("same", "same"))] == [True, False]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 3) | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["expectations", "id", "passed", "evidence", "text"]), inner, max_size=5)
    ),
    max_leaves=20,
)


@given(JSON, st.text(alphabet='{}[]",:0 ', max_size=8))
def test_any_answer_is_a_verdict_or_unusable(value, prose):
    try:
        found = read(prose + json.dumps(value) + prose)
    except UnusableError:
        return
    assert [one.text for one in found] == ["first", "second"]
