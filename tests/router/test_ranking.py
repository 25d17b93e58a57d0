import subprocess
import sys

import pytest

from skillcheck.router.ranking import router

CATALOG = (
    ("bread-baker", "Bakes rye and wheat loaves. Use when dough has risen."),
    ("piano-tuner", "Tunes upright pianos by ear. Use when a key sounds flat."),
    ("door-painter", "Paints doors and gates. Not for baking bread or wheat."),
)


def test_the_skill_that_shares_words_is_first():
    ranking = router(CATALOG).rank("bake a loaf of wheat bread")
    assert ranking.best(1)[0][0] == "bread-baker"
    assert ranking.rank("bread-baker") == ranking.best_rank("bread-baker") == 1
    assert 0 < ranking.score("bread-baker") <= 1


def test_what_a_skill_hands_off_does_not_score():
    ranking = router(CATALOG).rank("baking wheat")
    assert ranking.score("door-painter") == 0
    assert ranking.rank("door-painter") is None


def test_no_tokens_and_no_match_are_told_apart():
    made = router(CATALOG)
    assert not made.rank("?!").scoreable
    strange = made.rank("quantum ledger")
    assert strange.scoreable
    assert strange.best() == ()
    assert strange.margin() is None
    assert strange.leaders() == ()
    assert strange.top == 0


def test_ties_are_lost_by_rank_and_won_by_best_rank():
    ranking = router([("x-kettle", "Boils water."), ("y-kettle", "Boils water."), ("pan", "Fries eggs.")]).rank(
        "boil water"
    )
    assert [ranking.rank("x-kettle"), ranking.best_rank("x-kettle")] == [2, 1]
    assert [ranking.rank("y-kettle"), ranking.best_rank("y-kettle")] == [2, 1]
    assert ranking.leaders() == ("x-kettle", "y-kettle")
    assert ranking.margin() == 0


def test_the_margin_is_a_share_of_the_best_score():
    ranking = router(CATALOG).rank("bake bread by ear")
    (_, first), (_, second) = ranking.best(2)
    assert ranking.margin() == pytest.approx((first - second) / first)
    assert router(CATALOG).rank("piano").margin() == 1


@pytest.mark.parametrize("skill", [name for name, _ in CATALOG])
@pytest.mark.parametrize("prompt", ["bake wheat bread and paint doors", "tune the flat piano key", "?!"])
def test_contributions_sum_to_the_score(skill, prompt):
    made = router(CATALOG)
    shares = made.contributions(prompt, skill)
    assert sum(shares.values()) == pytest.approx(made.rank(prompt).score(skill), abs=1e-12)
    assert list(shares.values()) == sorted(shares.values(), reverse=True)


def test_contributions_of_an_unknown_skill_are_an_error():
    with pytest.raises(KeyError):
        router(CATALOG).contributions("bread", "nobody")


def test_an_unknown_skill_scores_nothing():
    assert router(CATALOG).rank("bread").rank("nobody") is None


def test_two_skills_of_one_name_answer_for_each_other():
    ranking = router([("kettle", "Boils water."), ("kettle", "Makes tea."), ("pan", "Fries eggs in water.")]).rank(
        "tea water"
    )
    assert ranking.rank("kettle") == 1
    assert ranking.rank("pan") == 3


def test_an_empty_catalog_ranks_nothing():
    assert router([]).rank("bread").best() == ()


def test_order_of_the_catalog_does_not_matter():
    prompt = "paint the wheat coloured piano"
    assert dict(router(CATALOG).rank(prompt).best()) == pytest.approx(dict(router(CATALOG[::-1]).rank(prompt).best()))


def test_rank_all_keeps_the_order_of_prompts():
    made = router(CATALOG)
    prompts = ("paint a door", "", "tune a piano")
    assert [ranking.best() for ranking in made.rank_all(prompts)] == [made.rank(prompt).best() for prompt in prompts]


def test_small_catalogs_load_no_numbers_library():
    code = (
        "import sys; from skillcheck.router import collisions, router; router([('a', 'b c')]).rank('b');"
        "collisions([('a', 'b c'), ('d', 'b c')], 0.5); print(*({'numpy', 'scipy', 'sklearn'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, encoding="utf-8")
    assert done.stdout.strip() == ""
