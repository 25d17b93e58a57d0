"""The totals and flags of the three vectors were computed apart from this project."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillcheck.studies.fitness import PURPOSES, WEIGHTS, Item, fitness, purpose_of

SHARES = st.tuples(st.integers(0, 9), st.integers(0, 9)).map(sorted)


def share(count, total, task="eval 1"):
    return [Item(task, float(number < count)) for number in range(total)]


def observed(done, held, loads, passes, explained):
    """The counts of each score; `explained` is what the explanation is worth."""
    return {
        "completeness": share(*done),
        "constraints": share(*held),
        "compatibility": share(*loads),
        "stability": share(*passes),
        "explanation": [] if explained is None else [Item("eval 1", explained)],
    }


MIDDLING = fitness(observed((8, 10), (3, 5), (1, 1), (9, 10), 0.6))
LOOSE = fitness(observed((9, 10), (2, 5), (1, 1), (10, 10), 1))
UNSTEADY = fitness(observed((10, 10), (5, 5), (1, 2), (5, 10), 0))


def values(found):
    return [score.value for score in found.scores]


def advised(found):
    return [line.partition(" ")[0] for line in found.advice]


@pytest.mark.parametrize(
    ("found", "parts", "total", "review", "advice"),
    [
        (MIDDLING, [80, 60, 100, 90, 60], 78.5, (), []),
        (LOOSE, [90, 40, 100, 100, 100], 84.0, ("constraints 40 is below 50",), ["constraints"]),
        (
            UNSTEADY,
            [100, 100, 50, 50, 0],
            75.0,
            ("eval 1 passed 5 of 10 times, below 60 %", "explanation 0 is below 50"),
            ["compatibility", "stability", "explanation"],
        ),
    ],
    ids=["middling", "loose", "unsteady"],
)
def test_index_gives_the_reference(found, parts, total, review, advice):
    assert (values(found), found.total, found.review) == (parts, total, review)
    assert advised(found) == advice


def test_advice_says_what_to_do_about_it():
    assert LOOSE.advice == (
        "constraints 40: check how strongly the constraints are worded: make the critical steps mandatory",
    )


@pytest.mark.parametrize("name", WEIGHTS)
def test_a_score_of_exactly_50_needs_no_review(name):
    items = [Item("one", 0.5), Item("two", 0.5)]
    assert fitness({name: items * (2 if name == "stability" else 1)}).scores[list(WEIGHTS).index(name)].value == 50
    assert not [line for line in fitness({name: items}).review if line.startswith(name)]
    assert [line for line in fitness({name: [Item("one", 0.49)] * 2}).review if line.startswith(name)]


def test_a_task_that_passes_exactly_60_percent_needs_no_review():
    assert fitness({"stability": share(3, 5)}).review == ()
    assert fitness({"stability": share(2, 4) + share(9, 9, "eval 2")}).review == (
        "eval 1 passed 2 of 4 times, below 60 %",
    )


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("completeness", 60),
        ("constraints", 60),
        ("compatibility", 60),
        ("stability", 70),
        ("explanation", 60),
        ("robustness", 60),
    ],
)
def test_advice_is_given_below_a_bound_and_not_at_it(name, least):
    for held, expected in ((least, []), (least - 1, [name])):
        items = share(held, 100)
        assert advised(fitness({}, edge=items) if name == "robustness" else fitness({name: items})) == expected


def test_what_was_not_observed_has_no_score_and_no_weight():
    found = fitness(observed((8, 10), (0, 0), (1, 1), (0, 0), None))
    assert values(found) == [80, None, 100, None, None]
    assert [score.weight for score in found.scores] == pytest.approx([100 * 40 / 55, 0, 100 * 15 / 55, 0, 0])
    assert found.total == pytest.approx((40 * 80 + 15 * 100) / 55)
    assert [score.missing for score in found.scores] == [
        "",
        "no constraint was graded",
        "",
        "no task was graded more than once",
        "nothing that an agent explained was graded",
    ]


def test_values_are_known_by_name():
    found = fitness(observed((8, 10), (0, 0), (1, 1), (0, 0), None), edge=share(1, 4))
    assert found.values == {
        "total": found.total, "completeness": 80, "constraints": None, "compatibility": 100, "stability": None,
        "explanation": None, "robustness": 25,
    }  # fmt: skip
    assert found.robustness.weight == 0


def test_without_anything_there_is_no_total():
    found = fitness({})
    assert (found.total, found.interval, found.confidence) == (None, None, "none")
    assert (found.review, found.risk, found.admission, found.advice) == ((), "unknown", "untested", ())


def test_where_the_skill_can_not_be_loaded_nothing_else_counts():
    found = fitness(observed((8, 10), (3, 5), (0, 2), (9, 10), 1))
    assert values(found) == [None, None, 0, None, None]
    assert found.total == 0
    assert {score.missing for score in found.scores} == {"", "skipped, since no agent could load the skill"}
    assert found.review == ("compatibility 0 is below 50",)


def test_each_framework_counts_the_same_however_often_it_tried():
    loads = [*share(9, 9, "one"), *share(0, 1, "other")]
    score = fitness({"compatibility": loads}).scores[2]
    assert (score.value, score.tasks) == (50, 2)
    assert fitness({"compatibility": [*share(1, 2, "one"), *share(0, 2, "other")]}).scores[2].value == 25


def test_tasks_that_were_tried_once_tell_nothing_of_stability():
    found = fitness({"stability": [*share(0, 1, "eval 1"), *share(2, 2, "eval 2")]})
    assert values(found)[3] == 100
    assert {item.task for item in found.scores[3].items} == {"eval 2"}


@pytest.mark.parametrize(
    ("passes", "risk"), [((69, 100), "high"), ((70, 100), "medium"), ((89, 100), "medium"), ((90, 100), "low")]
)
def test_risk_goes_by_stability(passes, risk):
    assert fitness({"stability": share(*passes)}).risk == risk


def test_a_higher_total_can_be_the_higher_risk():
    better = fitness(observed((10, 10), (5, 5), (1, 1), (62, 100), 0.6))
    steadier = fitness(observed((7, 10), (4, 5), (1, 1), (90, 100), 0.6))
    assert better.total > steadier.total
    assert (better.risk, steadier.risk) == ("high", "low")


@pytest.mark.parametrize(
    ("edge", "admission", "advice"),
    [((3, 5), "admitted", []), ((5, 9), "not admitted", ["robustness"]), ((0, 0), "untested", [])],
)
def test_edge_cases_decide_on_admission(edge, admission, advice):
    found = fitness({}, edge=share(*edge))
    assert found.admission == admission
    assert advised(found) == advice


def test_agents_that_pass_the_skill_over_call_for_stronger_words():
    (advice,) = fitness({}, followed=share(1, 3)).advice
    assert advice == "2 of 3 agents that were offered the skill never read it: say that it must be used, and when"
    assert fitness({}, followed=share(3, 3)).advice == ()


@pytest.mark.parametrize(
    ("tags", "purpose"),
    [
        ([["math"], ["math", "x"], []], "math"),
        ([["math"], [], []], ""),
        ([["tool"], []], "tool"),
        ([["x"], ["y"]], ""),
        ([["tool"], ["math"]], "math"),
        ([], ""),
    ],
)
def test_purpose_is_what_half_of_the_tasks_are_tagged_with(tags, purpose):
    assert purpose_of(tags) == purpose


def test_purposes_weigh_the_same_scores_differently():
    math, tool = PURPOSES["math"], PURPOSES["tool"]
    assert math["completeness"] > WEIGHTS["completeness"]
    assert math["compatibility"] < WEIGHTS["compatibility"]
    assert tool["compatibility"] > WEIGHTS["compatibility"]
    assert tool["stability"] > WEIGHTS["stability"]
    assert {sum(weights.values()) for weights in (WEIGHTS, math, tool)} == {100}
    counts = observed((10, 10), (5, 5), (1, 2), (10, 10), 1)
    assert fitness(counts, purpose="math").total == 97.5
    assert fitness(counts).total == 92.5
    assert fitness(counts, purpose="tool").total == 90


def test_confidence_grows_with_tasks_and_not_with_trials():
    few = fitness({"completeness": share(100, 100)})
    many = fitness({"completeness": [Item(f"eval {number}", 1.0) for number in range(100)]})
    assert (few.confidence, many.confidence) == ("low", "high")
    assert few.scores[0].interval == pytest.approx((20.6549, 100), abs=1e-4)


@pytest.mark.parametrize(("tasks", "confidence"), [(16, "high"), (15, "medium"), (6, "medium"), (5, "low")], ids=str)
def test_confidence_goes_by_the_width_of_the_interval(tasks, confidence):
    """All pass, so that Wilson's interval is z² / (n + z²) wide: 19.4, 20.4, 39.0 and 43.4 points."""
    assert fitness({"completeness": [Item(f"eval {n}", 1.0) for n in range(tasks)]}).confidence == confidence


@given(st.fixed_dictionaries(dict.fromkeys(WEIGHTS, SHARES)))
def test_total_lies_in_its_interval_and_weights_add_up(counts):
    found = fitness({name: share(*count) for name, count in counts.items()})
    if found.total is not None:
        assert 0 <= found.interval.low <= found.total + 1e-9
        assert found.total - 1e-9 <= found.interval.high <= 100
        assert sum(score.weight for score in found.scores) == pytest.approx(100)
