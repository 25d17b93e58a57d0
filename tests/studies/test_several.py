import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillcheck.studies.several import benjamini_hochberg, holm

VALUES = [0.01, 0.04, 0.03, 0.2]
CHANCES = st.lists(st.floats(0, 1), min_size=1, max_size=8)


def test_reference():
    assert holm(VALUES) == pytest.approx([0.04, 0.09, 0.09, 0.2])
    assert benjamini_hochberg(VALUES) == pytest.approx([0.04, 0.053333, 0.053333, 0.2], abs=6e-7)


def test_nothing_is_adjusted_for_one():
    assert holm([0.03]) == benjamini_hochberg([0.03]) == [0.03]
    assert holm([]) == benjamini_hochberg([]) == []


@given(CHANCES)
def test_holm_is_stricter_than_benjamini_and_hochberg_and_both_than_nothing(values):
    rows = zip(values, benjamini_hochberg(values), holm(values), strict=True)
    assert all(plain <= lenient + 1e-12 and lenient <= strict + 1e-12 <= 1 + 2e-12 for plain, lenient, strict in rows)
