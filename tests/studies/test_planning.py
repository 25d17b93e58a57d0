import pytest

from skillcheck.studies.planning import ASSUMED, Spread, least_effect, spread, tasks_needed

GROUPS = [[1, 1, 1], [0, 0, 1], [1, 1, 0], [0, 0, 0]]


@pytest.mark.parametrize(
    ("assumed", "trials", "delta", "tasks"),
    [
        (Spread(1 / 9, 1 / 6, 1 / 6), 1, 0.03, 3875.99),
        (ASSUMED, 3, 0.1, 109.88),
        (ASSUMED, 3, 0.2, 27.47),
        (ASSUMED, 3, 0.3, 12.21),
        (ASSUMED, 3, -0.3, 12.21),
    ],
)
def test_tasks_needed_gives_the_reference(assumed, trials, delta, tasks):
    assert tasks_needed(delta, assumed, trials) == pytest.approx(tasks, abs=0.005)


def test_tasks_without_noise_are_those_of_millers_example():
    assert round(tasks_needed(0.03, Spread(1 / 9, 0, 0), 1)) == 969


def test_least_effect_gives_the_reference():
    assert least_effect(8, ASSUMED, 3) == pytest.approx(0.370615, abs=6e-7)


def test_least_effect_is_what_so_many_tasks_find():
    assert tasks_needed(least_effect(20, ASSUMED, 5), ASSUMED, 5) == pytest.approx(20)


def test_spread_gives_the_reference():
    found = spread(GROUPS, [[0, 0, 0]] * 4)
    assert found == pytest.approx((0.12963, 0.166667, 0), abs=6e-7)


def test_spread_of_single_trials_is_all_between_tasks():
    assert spread([[1], [0]], [[0], [0]]) == (0.5, 0, 0)


def test_spread_is_never_negative():
    assert spread([[1, 0], [1, 0]], [[1, 0], [0, 1]]) == (0, 0.5, 0.5)


def test_spread_needs_two_tasks():
    assert spread([[1, 0]], [[0, 0]]) is None
