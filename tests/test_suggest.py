import pytest

from skillcheck.suggest import closest

KNOWN = ("name", "description", "allowed-tools", "metadata", "compatibility")


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("descripton", "description"),
        ("Description", "description"),
        ("allowed_tools", "allowed-tools"),
        ("allowedTools", "allowed-tools"),
        ("NAME", "name"),
        ("nmae", "name"),
        ("tags", None),
        ("n", None),
        ("", None),
    ],
    ids=[
        "letter left out", "capital", "underscore", "camel case", "capitals", "letters swapped", "another word",
        "one letter", "empty",
    ],
)  # fmt: skip
def test_near_misses_are_recognized(word, near):
    assert closest(word, KNOWN) == near


def test_the_order_of_what_is_known_does_not_matter():
    assert closest("foo-c", ["foo-b", "foo-a"]) == closest("foo-c", ["foo-a", "foo-b"])
    assert closest("foo-x", ["foo_x", "foo-x"]) == closest("foo-x", ["foo-x", "foo_x"])


def test_nothing_is_near_to_nothing():
    assert closest("name", ()) is None
