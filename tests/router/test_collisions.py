import pytest

from skillcheck.router import index
from skillcheck.router.collisions import collisions

TWINS = (
    ("dish-finder", "Finds quick dinners and soups to cook today. Use when a guest asks what to cook."),
    ("meal-picker", "Picks quick soups and dinners to cook today. Use when a guest asks what to cook."),
)
OTHERS = (("bee-keeper", "Checks hives for mites."), ("tax-clerk", "Prepares tax forms for a shop."))


def test_copies_are_wholly_alike_whatever_their_names():
    found = collisions([(name, "Sorts mail by sender. Use when the inbox is full.") for name in "edcba"], 0.9)
    assert [(each.a, each.b) for each in found] == [(a, b) for a in "abcde" for b in "abcde" if a < b]
    assert [each.similarity for each in found] == pytest.approx([1] * 10)


@pytest.mark.parametrize("large", [1000, 1])
def test_a_changed_verb_is_still_a_collision(monkeypatch, large):
    monkeypatch.setattr(index, "LARGE", large)
    (found,) = collisions((*OTHERS, *TWINS[::-1]), 0.5)
    assert (found.a, found.b) == ("dish-finder", "meal-picker")
    assert 0.75 <= found.similarity < 1
    assert {"cook", "quick", "soups", "dinners"} <= set(found.shared)


def test_strangers_do_not_collide():
    assert collisions(OTHERS, 0.1) == ()


def test_equal_names_are_no_pair():
    assert collisions([("same", "Bakes bread."), ("same", "Bakes bread.")], 0.5) == ()


def test_names_and_hand_offs_do_not_count():
    skills = [("door-painter", "Paints doors. Not for bread."), ("door-baker", "Bakes bread. Not for doors.")]
    assert collisions(skills, 0.01) == ()


def test_the_most_alike_come_first():
    skills = [("a", "bake rye bread"), ("b", "bake rye bread"), ("c", "bake rye cakes")]
    assert [(each.a, each.b) for each in collisions(skills, 0.3)] == [("a", "b"), ("a", "c"), ("b", "c")]


def test_empty_descriptions_collide_with_nobody():
    assert collisions([("a", ""), ("b", ""), ("c", "...")], 0.5) == ()
