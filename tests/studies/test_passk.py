import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillcheck.studies.passk import pass_at_k, pass_hat_k

COUNTS = st.integers(1, 40).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n)))


@pytest.mark.parametrize(
    ("trials", "passes", "k", "at", "hat"),
    [
        (3, 1, 1, 0.333333, 0.333333),
        (3, 1, 2, 0.666667, 0.0),
        (3, 1, 3, 1.0, 0.0),
        (3, 2, 2, 1.0, 0.333333),
        (5, 3, 1, 0.6, 0.6),
        (5, 3, 2, 0.9, 0.3),
        (5, 3, 3, 1.0, 0.1),
        (5, 3, 5, 1.0, 0.0),
        (10, 7, 3, 0.991667, 0.291667),
        (10, 7, 5, 1.0, 0.083333),
        (10, 0, 3, 0.0, 0.0),
        (10, 10, 3, 1.0, 1.0),
    ],
)
def test_reference(trials, passes, k, at, hat):
    assert pass_at_k(trials, passes, k) == pytest.approx(at, abs=6e-7)
    assert pass_hat_k(trials, passes, k) == pytest.approx(hat, abs=6e-7)


def test_plugging_in_the_rate_would_be_biased():
    rate = 1 / 3
    assert 1 - (1 - rate) ** 3 == pytest.approx(0.703704, abs=6e-7)
    assert rate**3 == pytest.approx(0.037037, abs=6e-7)
    assert (pass_at_k(3, 1, 3), pass_hat_k(3, 1, 3)) == (1, 0)


@pytest.mark.parametrize(("trials", "k"), [(3, 4), (3, 0), (3, -1), (0, 1)])
def test_more_tries_than_trials_are_unknown(trials, k):
    assert pass_at_k(trials, 0, k) is None
    assert pass_hat_k(trials, 0, k) is None


@given(COUNTS)
def test_one_try_has_the_pass_rate(counts):
    trials, passes = counts
    assert pass_at_k(trials, passes, 1) == pytest.approx(passes / trials)
    assert pass_hat_k(trials, passes, 1) == pytest.approx(passes / trials)


@given(COUNTS)
def test_more_tries_pass_at_least_once_sooner_and_always_later(counts):
    ks = range(1, counts[0] + 1)
    at, hat = ([chance(*counts, k) for k in ks] for chance in (pass_at_k, pass_hat_k))
    assert at == sorted(at)
    assert hat == sorted(hat, reverse=True)
