import pytest

from skillcheck.catalog.prompts import normal


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Sort it!", "sort it"),
        ("code_review", "code-review"),
        ("\uff33ort", "sort"),
        ("a + b", "a b"),
        ("issue #12?", "issue 12"),
    ],
)
def test_case_punctuation_and_variants_do_not_count(one, other):
    assert normal(one) == normal(other)


def test_names_with_signs_differ():
    assert len({normal(f"a {name} project") for name in ("C", "C++", "C#", "F#", "F")}) == 5
