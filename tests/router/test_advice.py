import pytest

from skillcheck.router.advice import advise
from skillcheck.router.quality import Query, judge
from skillcheck.router.ranking import router

CATALOG = router(
    [
        ("plan-writer", "Plans tasks in small slices."),
        ("step-builder", "Builds one slice. Not for planning tasks."),
        ("tree-planter", "Plants trees. Use for big gardens. Not for seeds."),
    ]
)


def judged(*arguments, **options):
    return judge(CATALOG, [Query(*arguments, **options)])[0]


def advice(*arguments, **options):
    return advise(CATALOG, judged(*arguments, **options))


def test_the_words_that_pulled_the_winner_up_are_named_in_the_prompts_spelling():
    outcome = judged("step-builder", "Planning the next Tasks, verifiably")
    found = advise(CATALOG, outcome)
    assert (found.favoured, found.slighted) == ("plan-writer", "step-builder")
    assert {pull.words for pull in found.pulls} >= {"Planning", "Tasks"}
    gains = [pull.gain for pull in found.pulls]
    assert gains == sorted(gains, reverse=True)
    assert sum(gains) == pytest.approx(outcome.winner_score - outcome.score)


def test_missing_words_say_who_has_them():
    found = {each.word: each for each in advice("step-builder", "plan a verifiable slice of tasks").missing}
    assert set(found) == {"plan", "verifiable", "tasks"}
    assert (found["verifiable"].skills, found["verifiable"].favoured_has_it) == (0, False)
    assert (found["tasks"].skills, found["tasks"].favoured_has_it, found["tasks"].handed_off) == (1, True, True)


def test_a_negative_looks_at_the_skill_and_its_owner():
    found = advice("plan-writer", "plan slices", "negative", owner="step-builder")
    assert (found.favoured, found.slighted) == ("plan-writer", "step-builder")
    assert found.pulls[0].gain > 0
    assert [each.word for each in found.missing] == ["plan"]


@pytest.mark.parametrize("text", ["", "quantum"])
def test_a_prompt_that_matches_nothing_has_no_pulls(text):
    found = advice("plan-writer", text)
    assert (found.favoured, found.pulls) == (None, ())
    assert [each.word for each in found.missing] == text.split()


def test_a_negative_without_an_owner_has_no_one_slighted():
    found = advice("plan-writer", "plan", "negative")
    assert (found.slighted, found.missing) == (None, ())
