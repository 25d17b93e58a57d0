import time

import numpy as np
import pytest

from skillcheck.studies.intervals import newcombe, wilson
from skillcheck.studies.paired import effect
from skillcheck.studies.study import Arm, study, together
from skillcheck.studies.verdict import verdict

REFERENCE = (
    ("111", "111", "110", "111", "111", "100", "111", "111"),
    ("000", "110", "110", "100", "111", "100", "000", "110"),
)


def arm(*tasks, **more):
    """An arm of tasks "a", "b" ..., each a row of 0 and 1."""
    return Arm({chr(97 + place): tuple(map(float, row)) for place, row in enumerate(tasks)}, **more)


def both(pattern, **options):
    """The study of a pattern of single trials: + won, - lost, 1 passed in both, 0 in neither."""
    outcomes = {"+": "10", "-": "01", "1": "11", "0": "00"}
    arms = (arm(*(outcomes[letter][place] for letter in pattern)) for place in (0, 1))
    return study(*arms, **options)


def test_the_reference_is_suggestive_and_not_established():
    found = study(*(arm(*rows) for rows in REFERENCE))
    assert (found.treated.mean, found.control.mean) == pytest.approx((0.875, 0.458333), abs=6e-7)
    assert (found.effect.delta, found.effect.p, found.gain) == pytest.approx((0.416667, 0.0625, 0.769231), abs=6e-7)
    assert found.regressions == found.unpaired == ()
    assert found.flagged("saturated") == ("e",)
    assert found.flagged("flaky") == ("b", "c", "d", "f", "h")
    assert found.binary is None
    assert found.verdict.word == "insufficient"
    assert found.verdict.suggestive
    assert found.verdict.reason == (
        "the arms differ on 5 tasks, so p is 0.0625 at least; 1 more is needed to reach 0.05"
    )


@pytest.mark.parametrize(
    ("pattern", "word"),
    [
        ("++++++", "helps"),
        ("------", "hurts"),
        ("+++++", "insufficient"),
        ("+++++1111111", "insufficient"),
        ("", "insufficient"),
        ("+++---", "inconclusive"),
        ("+++---" + "1" * 300, "no material effect"),
    ],
)
def test_verdict_by_the_fixed_rule(pattern, word):
    assert both(pattern).verdict.word == word


def test_verdict_says_how_many_tasks_are_missing():
    told = both("").verdict
    assert told.reason == "the arms differ on 0 tasks, so p is 1 at least; 6 more are needed to reach 0.05"
    assert not told.suggestive


def test_verdict_is_suggestive_where_an_interval_excludes_zero_and_the_test_fails():
    found = effect({str(place): value for place, value in enumerate([1, 1, 1, 1, 1, 1, -0.1, -0.1])}, {})
    assert verdict(found, 0.06, 0.05)[::2] == ("inconclusive", True)
    assert verdict(found, 0.05, 0.05)[::2] == ("helps", False)


def test_margin_sets_what_is_of_no_account():
    pattern = "+++---" + "1" * 30
    assert both(pattern).verdict.word == "inconclusive"
    assert both(pattern, margin=0.2).verdict.word == "no material effect"


def test_regressions_are_named_whatever_the_verdict():
    found = study(arm("1" * 6, "111000", "100000", "1", *"111111"), arm("0" * 6, "1" * 6, "110000", "1", *"000000"))
    assert found.verdict.word == "helps"
    assert found.regressions == ("b",)


def test_a_regression_by_a_half_survives_rounding():
    found = study(Arm({"t": [0.2]}), Arm({"t": [0.7]}))
    assert found.tasks[0].delta > -0.5
    assert found.regressions == ("t",)
    assert study(Arm({"t": [0.21]}), Arm({"t": [0.7]})).regressions == ()


def test_tasks_without_a_partner_are_listed_and_left_out():
    treated = Arm({"both": [1.0], "treated only": [1.0], "no trial": []})
    control = Arm({"both": [0.0], "control only": [1.0], "no trial": [1.0]})
    found = study(treated, control)
    assert found.unpaired == ("control only", "no trial", "treated only")
    assert (found.effect.tasks, found.effect.delta) == (1, 1.0)
    assert found.treated.trials == 2
    assert found.tasks[1].treated == (None, 0, 0, None)


def test_single_trials_have_the_exact_test_and_intervals():
    found = both("++++-1110")
    assert found.binary[:5] == (3, 4, 1, 1, 0.375)
    assert found.binary.p == found.effect.p
    assert found.binary.interval == newcombe(3, 4, 1, 1)
    assert found.treated.wilson == wilson(7, 9)


@pytest.mark.parametrize(
    ("treated", "control"),
    [(Arm({"t": [0.5]}), Arm({"t": [0.0]})), (Arm({"t": [1.0, 1.0]}), Arm({"t": [0.0]})), (Arm({}), Arm({}))],
    ids=["partial", "two trials", "nothing"],
)
def test_other_trials_are_not_binary(treated, control):
    assert study(treated, control).binary is None


def test_trials_of_a_task_are_never_pooled():
    found = study(*(arm(*rows) for rows in REFERENCE))
    assert found.treated.wilson is None
    assert found.tasks[1].control == (pytest.approx(2 / 3), 2, 3, wilson(2, 3))
    assert found.treated.error == pytest.approx(0.087684, abs=6e-7)
    assert found.control.error == pytest.approx(0.125, abs=6e-7)


def test_pass_at_k_is_a_mean_over_the_tasks_with_enough_trials():
    found = study(arm("10", "1"), arm("11", "0"), ks=(0, 1, 2, 3)).treated.passes
    assert found == ((1, 0.75, 0.75, 2), (2, 1.0, 0.0, 1))


def test_passing_is_a_threshold():
    treated, control = Arm({"t": [0.5, 1.0]}), Arm({"t": [0.0, 0.4]})
    assert study(treated, control).tasks[0].treated.passes == 1
    assert study(treated, control, passing=0.5).tasks[0].treated.passes == 2
    assert study(treated, control, passing=5e-324).tasks[0].control.passes == 1


def test_errors_are_counted_beside_the_scores():
    treated = arm("11", "11", errors={"infra-rate": 1, "infra-auth": 1})
    found = study(treated, arm("11", "00"))
    assert (found.treated.trials, found.treated.lost, found.treated.mean) == (4, 1 / 3, 1.0)
    assert found.treated.errors == {"infra-rate": 1, "infra-auth": 1}
    assert found.unbalanced
    assert not study(arm("11"), arm("11")).unbalanced


def test_costs_are_ratios_over_paired_tasks():
    treated = arm("1", "1", costs={"tokens": {"a": 200, "b": 800}, "seconds": {"a": 3}, "usd": {"a": 1}})
    control = Arm({"a": [0.0]}, costs={"tokens": {"a": 100, "b": 100}, "seconds": {}})
    assert study(treated, control).ratios == {"tokens": (pytest.approx(2), 1)}


def test_expectations_that_tell_nothing_are_named():
    one, other = (arm("1", verdicts={("a", "says hello"): [True]}) for _ in range(2))
    assert study(one, other).non_discriminating == (("a", "says hello"),)


def test_families_cluster_the_errors():
    families = dict(zip("abcd", "ffgg", strict=True))
    plain, clustered = (study(arm(*"1100"), arm(*"0000"), families=known) for known in ({}, families))
    assert plain.effect.family_error is None
    assert clustered.effect.family_error == clustered.treated.error == pytest.approx(0.5)
    assert plain.treated.error < 0.5


def test_an_arm_without_a_trial_loses_nothing_else():
    found = study(arm("11", "10"), Arm({}, errors={"infra-auth": 4}))
    assert (found.effect, found.gain, found.spread, found.control.mean) == (None, None, None, None)
    assert found.treated.mean == 0.75
    assert found.unbalanced
    assert found.verdict.word == "insufficient"


def test_a_perfect_control_leaves_nothing_to_gain():
    assert both("1111").gain is None


def test_spread_is_that_of_the_paired_tasks():
    found = study(*(arm(*rows) for rows in REFERENCE)).spread
    assert found == pytest.approx((8 * 0.151054**2 - (2 / 24 + 5 / 24) / 3, 2 / 24, 5 / 24), abs=1e-5)


def test_several_skills_are_adjusted_for_their_number():
    studies = {"one": both("+" * 6), "two": both("+" * 9), "idle": both("")}
    found = together(studies)
    assert (found["one"].holm, found["two"].holm) == pytest.approx((0.03125, 2 * 2**-8))
    assert found["one"].benjamini_hochberg == 0.03125
    assert found["idle"] == studies["idle"]
    pattern = "+++---" + "1" * 30
    wide = together({"one": both(pattern, margin=0.2), "two": both(pattern)})
    assert [each.verdict.word for each in wide.values()] == ["no material effect", "inconclusive"]
    weak = together({"one": both("+" * 6), "two": both("+" * 6)})
    assert [each.holm for each in weak.values()] == [0.0625, 0.0625]
    assert [each.verdict.word for each in weak.values()] == ["inconclusive", "inconclusive"]
    assert weak["one"].effect.p == 0.03125


def test_a_thousand_tasks_take_seconds():
    chance = np.random.default_rng(3)
    arms = [Arm({str(task): tuple(map(float, chance.random(5) < rate)) for task in range(1000)}) for rate in (0.7, 0.6)]
    started = time.perf_counter()
    found = study(*arms)
    seconds = time.perf_counter() - started
    print(f"{seconds:.2f} s")
    assert found.verdict.word == "helps"
    assert seconds < 3
