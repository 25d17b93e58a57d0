import pytest

from skillcheck.studies.agreement import kappa


def votes(text):
    return [letter == "1" for letter in text]


def test_kappa_gives_the_reference():
    assert kappa(votes("1111110000"), votes("1111100001")) == pytest.approx(0.583333, abs=6e-7)


def test_kappa_goes_from_one_to_below_zero():
    assert kappa(votes("10"), votes("10")) == 1
    assert kappa(votes("10"), votes("01")) == -1
    assert kappa(votes("11"), votes("10")) == 0


@pytest.mark.parametrize("text", ["", "1", "000"])
def test_kappa_of_one_verdict_is_unknown(text):
    assert kappa(votes(text), votes(text)) is None
