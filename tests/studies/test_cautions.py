import pytest

from skillcheck.studies.cautions import flag, lost, non_discriminating, unbalanced

YES, NO = True, False


@pytest.mark.parametrize(
    ("treated", "control", "expected"),
    [
        ([YES, YES], [YES], "saturated"),
        ([NO, NO], [NO], "too hard"),
        ([YES, NO], [NO], "flaky"),
        ([YES], [YES, NO], "flaky"),
        ([YES], [NO], ""),
        ([NO], [YES], ""),
        ([YES], [], ""),
        ([YES, NO], [], "flaky"),
        ([], [], ""),
    ],
)
def test_flag(treated, control, expected):
    assert flag(treated, control) == expected


def test_an_expectation_with_one_verdict_tells_nothing():
    treated = {("t", "same"): [YES, YES], ("t", "helps"): [YES], ("t", "mixed"): [YES, NO], ("t", "alone"): [YES]}
    control = {("t", "same"): [YES], ("t", "helps"): [NO], ("t", "mixed"): [YES, NO], ("t", "alone"): []}
    assert non_discriminating(treated, control) == (("t", "same"),)
    assert non_discriminating({("t", "none"): []}, {("t", "none"): [YES]}) == ()
    assert non_discriminating({("t", "always fails"): [NO]}, {("t", "always fails"): [NO]}) == (("t", "always fails"),)


@pytest.mark.parametrize(
    ("treated", "control", "expected"),
    [
        ((1, 9), (1, 9), False),
        ((11, 89), (11, 89), True),
        ((0, 10), (11, 89), True),
        ((0, 10), (10, 90), False),
        ((0, 0), (0, 0), False),
    ],
    ids=["10 % each", "11 % each", "11 points apart", "10 points apart", "nothing"],
)
def test_unbalanced(treated, control, expected):
    assert unbalanced(lost(*treated), lost(*control)) is expected
    assert unbalanced(lost(*control), lost(*treated)) is expected


@pytest.mark.parametrize(("errors", "eligible", "share"), [(3, 27, 0.1), (0, 5, 0), (2, 0, 1), (0, 0, 0)])
def test_lost_is_a_share_of_all_trials(errors, eligible, share):
    assert lost(errors, eligible) == share
