import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from skillcheck.studies.level import NEEDED, least_p
from skillcheck.studies.paired import effect, gain, mcnemar, ratio, sign_flip

TREATED = [1, 1, 2 / 3, 1, 1, 1 / 3, 1, 1]
CONTROL = [0, 2 / 3, 2 / 3, 1 / 3, 1, 1 / 3, 0, 2 / 3]
DIFFERENCES = {f"task {place}": one - other for place, (one, other) in enumerate(zip(TREATED, CONTROL, strict=True))}
THIRDS = st.sampled_from([Fraction(n, 3) for n in range(-3, 4)])


def close(values):
    return pytest.approx(values, abs=6e-7)


def test_effect_gives_the_reference():
    found = effect(DIFFERENCES, {})
    assert list(DIFFERENCES.values()) == close([1, 0.333333, 0, 0.666667, 0, 0, 1, 0.333333])
    assert (found.tasks, found.delta, found.error, found.p) == close((8, 0.416667, 0.151054, 0.0625))
    assert found.t == close((0.05948, 0.773854))
    assert found.bootstrap == close((0.166667, 0.708333))
    assert (found.wins, found.losses, found.ties, found.informative) == (5, 0, 3, 5)
    assert found.least_p == mcnemar(found.wins, found.losses) == 0.0625


def test_pairing_removes_what_the_arms_share():
    assert np.mean(TREATED) == close(0.875)
    assert np.mean(CONTROL) == close(0.458333)
    first, second = stats.sem(TREATED), stats.sem(CONTROL)
    assert (first, second) == close((0.087684, 0.125))
    assert np.hypot(first, second) == close(0.152688)
    shared = np.cov(TREATED, CONTROL)[0, 1] / 8
    assert (first**2 + second**2 - 2 * shared) ** 0.5 == close(0.151054)
    assert effect(DIFFERENCES, {}).error == close(0.151054)
    assert np.corrcoef(TREATED, CONTROL)[0, 1] == close(0.022628)


def test_effect_of_no_tasks_is_unknown():
    assert effect({}, {}) is None


def test_effect_of_one_task_has_no_interval():
    found = effect({"only": 1.0}, {})
    assert (found.delta, found.error, found.t, found.bootstrap, found.p) == (1.0, None, None, None, 1.0)


def test_rounding_makes_no_winner():
    found = effect({"task": 0.1 + 0.2 - 0.3}, {})
    assert (found.wins, found.losses, found.ties) == (0, 0, 1)


def test_tasks_of_a_family_are_one_cluster():
    differences = {"a": 1.0, "b": 1.0, "c": 0.0, "d": 0.0}
    found = effect(differences, {"a": "f", "b": "f", "c": "g", "d": "g"})
    assert found.family_error == pytest.approx(stats.sem([1.0, 0.0]))
    assert found.family_error > found.error
    assert effect(differences, {}).family_error is None
    assert effect(differences, {"a": "d"}).family_error is None, "a family may be named as a task of another"


def test_sign_flip_gives_the_reference():
    assert sign_flip(list(DIFFERENCES.values())) == 16 / 256


def test_sign_flip_takes_sums_that_differ_by_rounding_as_equal():
    assert sum([-0.2, -0.1, 0.1, 0.2]) != 0
    assert sign_flip([-0.2, -0.1, 0.1, 0.2]) == 1


@given(st.lists(THIRDS, min_size=1, max_size=8))
def test_sign_flip_counts_every_pattern_in_exact_fractions(differences):
    observed = abs(sum(differences))
    patterns = list(itertools.product((1, -1), repeat=len(differences)))
    hits = sum(abs(sum(map(Fraction.__mul__, differences, map(Fraction, signs)))) >= observed for signs in patterns)
    assert sign_flip([float(value) for value in differences]) == pytest.approx(hits / len(patterns))


@pytest.mark.parametrize(
    ("tasks", "p"),
    [
        (1, 1.0),
        (2, 0.5),
        (3, 0.25),
        (4, 0.125),
        (5, 0.0625),
        (6, 0.03125),
        (7, 0.015625),
        (8, 0.0078125),
        (9, 0.00390625),
        (10, 0.001953125),
    ],
)
def test_all_tasks_won_have_the_least_p(tasks, p):
    assert sign_flip([1.0] * tasks) == least_p(tasks) == p
    assert (p <= 0.05) == (tasks >= NEEDED)


def test_least_p_of_no_tasks_is_one():
    assert least_p(0) == 1
    assert NEEDED == 6


def test_sign_flip_enumerates_up_to_fourteen_tasks():
    assert sign_flip([1.0] * 14) == least_p(14)


def test_sign_flip_samples_beyond():
    assert sign_flip([1.0] * 15) == pytest.approx(1 / 10_001, abs=3 / 10_001)
    differences = [1.0] * 12 + [-1.0] * 4
    assert sign_flip(differences) == sign_flip(differences) == pytest.approx(mcnemar(12, 4), abs=0.01)


@given(st.lists(st.floats(-1, 1), min_size=0, max_size=10))
def test_sign_flip_is_a_share(differences):
    assert 0 < sign_flip(differences) <= 1


@given(st.integers(0, 7), st.integers(0, 4), st.integers(0, 3))
def test_sign_flip_of_single_passes_is_mcnemar(won, lost, tied):
    assert sign_flip([1.0] * won + [-1.0] * lost + [0.0] * tied) == pytest.approx(mcnemar(won, lost))


@pytest.mark.parametrize(
    ("treated", "control", "p"),
    [
        (4, 0, 0.125),
        (5, 0, 0.0625),
        (6, 0, 0.03125),
        (7, 1, 0.070312),
        (8, 1, 0.039062),
        (9, 1, 0.021484),
        (5, 2, 0.453125),
        (3, 3, 1.0),
        (0, 0, 1.0),
    ],
)
def test_mcnemar_gives_the_reference(treated, control, p):
    assert mcnemar(treated, control) == mcnemar(control, treated) == close(p)


@pytest.mark.parametrize(
    ("treated", "control", "share"), [(0.875, 0.4583333333, 0.769231), (0.9, 0.8, 0.5), (0.6, 0.8, -1.0), (1, 0, 1.0)]
)
def test_gain_gives_the_reference(treated, control, share):
    assert gain(treated, control) == close(share)


def test_gain_over_a_perfect_control_is_unknown():
    assert gain(0.5, 1.0) is None


def test_ratio_gives_the_reference():
    treated, control = {"a": 12000, "b": 9000, "c": 15000}, {"a": 10000, "b": 9000, "c": 10000}
    assert ratio(treated, control) == close((1.216440, 3))


def test_ratio_leaves_out_what_is_unknown_or_nothing():
    assert ratio({"a": 2, "b": 5, "c": 0, "d": 1}, {"a": 1, "b": 0, "c": 1, "e": 1}) == (pytest.approx(2), 1)
    assert ratio({"a": 2}, {"b": 1}) is None
