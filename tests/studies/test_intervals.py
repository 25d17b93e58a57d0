"""Reference values were computed apart from this project, with the standard library, to six decimals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from skillcheck.studies.intervals import Interval, bootstrap, clustered_error, newcombe, paired_t, wilson

DIFFERENCES = [1, 1 / 3, 0, 2 / 3, 0, 0, 1, 1 / 3]
GROUPS = [[1, 1, 1], [0, 0, 1], [1, 1, 0], [0, 0, 0]]
SCORES = st.floats(0, 1)


def close(values):
    return pytest.approx(values, abs=6e-7)


@pytest.mark.parametrize(
    ("passes", "trials", "low", "high"),
    [
        (0, 3, 0.0, 0.561497),
        (1, 3, 0.061492, 0.79234),
        (2, 3, 0.20766, 0.938508),
        (3, 3, 0.438503, 1.0),
        (0, 5, 0.0, 0.434482),
        (4, 5, 0.375535, 0.963776),
        (5, 5, 0.565518, 1.0),
        (7, 10, 0.396778, 0.892209),
        (10, 10, 0.722467, 1.0),
        (16, 20, 0.583983, 0.919342),
        (18, 20, 0.698966, 0.972134),
        (27, 30, 0.743789, 0.9654),
        (30, 30, 0.886487, 1.0),
    ],
)
def test_wilson_gives_the_reference(passes, trials, low, high):
    assert wilson(passes, trials) == close((low, high))


def test_wilson_of_no_trials_is_unknown():
    assert wilson(0, 0) is None


@pytest.mark.parametrize(
    ("passes", "trials", "low", "high"),
    [
        (7, 10, 0.347547, 0.93326),
        (3, 3, 0.292402, 1.0),
        (16, 20, 0.563386, 0.942666),
        (0, 5, 0.0, 0.521824),
    ],
)
def test_wilson_is_narrower_than_clopper_and_pearson(passes, trials, low, high):
    exact = stats.binomtest(passes, trials).proportion_ci(method="exact")
    assert tuple(exact) == close((low, high))
    found = wilson(passes, trials)
    assert found.high - found.low < exact.high - exact.low


def test_wilson_of_three_passes_reaches_lower_than_jeffreys():
    jeffreys = stats.beta.ppf(0.025, 3.5, 0.5)
    assert jeffreys == close(0.464417)
    assert wilson(3, 3).low < jeffreys


def test_wilson_of_30_passes_allows_what_the_rule_of_three_does():
    assert 1 - wilson(30, 30).low == pytest.approx(3 / 30, abs=0.015)


def test_paired_t_gives_the_reference():
    assert paired_t(DIFFERENCES) == close((0.05948, 0.773854))


def test_paired_t_is_wider_than_the_normal_interval():
    low, high = stats.norm.interval(0.95, np.mean(DIFFERENCES), stats.sem(DIFFERENCES))
    assert (low, high) == close((0.120605, 0.712728))
    found = paired_t(DIFFERENCES)
    assert found.low < low
    assert high < found.high
    assert stats.t.ppf(0.975, 7) == close(2.364624)


@given(st.lists(SCORES, min_size=2, max_size=12), st.data())
def test_paired_t_is_that_of_scipy(treated, data):
    control = data.draw(st.lists(SCORES, min_size=len(treated), max_size=len(treated)))
    differences = np.subtract(treated, control)
    if np.std(differences) > 1e-3:
        theirs = stats.ttest_rel(treated, control).confidence_interval()
        assert paired_t(differences) == pytest.approx(tuple(theirs), abs=1e-9)


@pytest.mark.parametrize("interval", [paired_t, bootstrap])
def test_interval_needs_two_tasks(interval):
    assert interval([]) is None
    assert interval([1.0]) is None


@pytest.mark.parametrize("interval", [paired_t, bootstrap])
def test_interval_of_equal_differences_has_no_width(interval):
    assert interval([0.25, 0.25, 0.25]) == (0.25, 0.25)


def test_bootstrap_gives_the_reference():
    assert bootstrap(DIFFERENCES) == close((0.166667, 0.708333))


def test_bootstrap_is_the_same_again():
    differences = np.random.default_rng(1).normal(size=40)
    assert bootstrap(differences) == bootstrap(differences)


def test_clustered_error_gives_the_reference():
    assert clustered_error(GROUPS) == close(0.215166)
    uncorrected = clustered_error(GROUPS) * (3 / 4) ** 0.5
    assert uncorrected == close(0.186339)
    independent = stats.sem(np.ravel(GROUPS))
    assert independent == close(0.150756)
    assert uncorrected / independent == close(1.236033)
    assert np.std(np.ravel(GROUPS)) / 12**0.5 == close(0.144338)


@given(st.integers(1, 5).flatmap(lambda k: st.lists(st.lists(SCORES, min_size=k, max_size=k), min_size=2)))
def test_clustered_error_of_equal_clusters_is_that_of_their_means(groups):
    assert clustered_error(groups) == pytest.approx(stats.sem(np.mean(groups, axis=1)), abs=1e-9)


def test_clustered_error_of_unequal_clusters_weighs_trials():
    # mean 3/4; residuals sum to 3/4 and -3/4; sqrt(2 * ((3/4)**2 + (3/4)**2)) / 4
    assert clustered_error([[1, 1, 1], [0]]) == pytest.approx(0.375)


@pytest.mark.parametrize("groups", [[], [[1, 0]], [[1, 0], []]], ids=["none", "one", "one that isn't empty"])
def test_clustered_error_needs_two_clusters(groups):
    assert clustered_error(groups) is None


@pytest.mark.parametrize(
    ("table", "difference", "low", "high"),
    [
        ((36, 12, 2, 0), 0.2, 0.05693, 0.340428),
        ((20, 12, 2, 16), 0.2, 0.056156, 0.329207),
        ((5, 4, 0, 1), 0.4, -0.002356, 0.675912),
        ((8, 5, 0, 2), 0.333333, 0.043278, 0.563949),
    ],
)
def test_newcombe_gives_the_reference(table, difference, low, high):
    assert newcombe(*table) == close((low, high))
    assert (table[1] - table[2]) / sum(table) == close(difference)


@pytest.mark.parametrize("table", [(3, 1, 1, 1), (0, 0, 2, 8), (4, 3, 0, 0)])
def test_newcombe_takes_a_weak_or_unknown_correlation_as_none(table):
    both, treated, control, _ = table
    tasks = sum(table)
    rate, other = (both + treated) / tasks, (both + control) / tasks
    first, second = wilson(both + treated, tasks), wilson(both + control, tasks)
    low = rate - other - np.hypot(rate - first.low, second.high - other)
    high = rate - other + np.hypot(first.high - rate, other - second.low)
    assert newcombe(*table) == pytest.approx((low, high))


def test_newcombe_of_no_tasks_is_unknown():
    assert newcombe(0, 0, 0, 0) is None


@given(st.tuples(*[st.integers(0, 30)] * 4).filter(any))
def test_newcombe_mirrors_when_the_arms_are_swapped(table):
    both, treated, control, neither = table
    found, mirrored = newcombe(*table), newcombe(both, control, treated, neither)
    assert found == pytest.approx((-mirrored.high, -mirrored.low), abs=1e-9)
    assert -1 - 1e-9 <= found.low <= found.high <= 1 + 1e-9


def test_interval_tells_where_it_lies():
    assert Interval(0.01, 0.2).excludes_zero
    assert Interval(-0.2, -0.01).excludes_zero
    assert not Interval(0.0, 0.2).excludes_zero
    assert Interval(-0.05, 0.05).within(0.05)
    assert not Interval(-0.05, 0.06).within(0.05)
    assert not Interval(-0.06, 0.05).within(0.05)
