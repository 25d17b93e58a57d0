import pytest

from skillcheck.router.quality import Query, Rate, judge, quality
from skillcheck.router.ranking import router

CATALOG = router(
    [
        ("bread-baker", "Bakes rye and wheat loaves."),
        ("piano-tuner", "Tunes upright pianos by ear."),
        ("door-painter", "Paints doors and gates."),
        ("gate-painter", "Paints doors and gates."),
    ]
)


def one(*arguments, **options):
    return judge(CATALOG, [Query(*arguments, **options)])[0]


def test_a_positive_that_is_first_passes():
    outcome = one("bread-baker", "bake a rye loaf", top_k=1)
    assert outcome.passed
    assert (outcome.rank, outcome.best_rank, outcome.winner, outcome.tied) == (1, 1, "bread-baker", ())
    assert outcome.margin == 1
    assert outcome.score == outcome.winner_score


def test_a_tie_for_the_first_place_is_not_won_by_the_alphabet():
    for name, other in (("door-painter", "gate-painter"), ("gate-painter", "door-painter")):
        outcome = one(name, "paint")
        assert (outcome.rank, outcome.best_rank, outcome.winner) == (2, 1, other)
        assert outcome.tied == ("door-painter", "gate-painter")
        assert outcome.margin == 0
        assert not one(name, "paint", top_k=1).passed


def test_a_positive_that_scores_nothing_fails():
    outcome = one("piano-tuner", "bake a loaf")
    assert (outcome.rank, outcome.score, outcome.winner, outcome.passed) == (None, 0, "bread-baker", False)


def test_a_negative_may_not_be_first():
    assert not one("bread-baker", "rye bread", "negative").passed
    assert one("piano-tuner", "rye bread", "negative").passed
    assert not one("door-painter", "paint", "negative").passed


def test_an_owner_must_score_more():
    assert one("piano-tuner", "rye bread", "negative", owner="bread-baker").owner_outranks
    assert one("door-painter", "paint", "negative", owner="gate-painter").owner_outranks is False
    assert one("door-painter", "quantum", "negative", owner="gate-painter").owner_outranks is False
    assert one("piano-tuner", "rye", "negative", owner="nobody").owner_outranks is False
    assert one("piano-tuner", "rye", "negative").owner_outranks is None


def test_a_negative_that_matches_nothing_is_vacuous():
    outcome = one("bread-baker", "quantum ledger", "negative")
    assert outcome.vacuous
    assert (outcome.winner, outcome.margin, outcome.winner_score) == (None, None, 0)


def test_unscoreable_prompts_are_left_out_of_the_rate():
    found = quality(
        judge(CATALOG, [Query("bread-baker", "rye"), Query("bread-baker", "?!"), Query("bread-baker", "piano")])
    )
    assert found.rank1 == Rate(hits=1, scoreable=2, unscoreable=1)
    assert found.rank1.percent == 50
    assert found.mrr == 0.5


def test_an_empty_run_has_no_rate():
    found = quality(())
    assert (found.rank1.percent, found.rank1.interval, found.mrr) == (None, None, None)


@pytest.mark.parametrize(
    ("hits", "total", "low", "high"),
    [(67, 78, 76.5, 92.0), (0, 10, 0, 27.75), (10, 10, 72.25, 100), (5, 10, 23.66, 76.34)],
)
def test_the_interval_is_wilsons(hits, total, low, high):
    assert Rate(hits, total, 0).interval == pytest.approx((low, high), abs=0.1)


def test_taken_prompts_are_counted_by_taker():
    found = quality(judge(CATALOG, [Query("piano-tuner", text) for text in ("rye", "wheat", "upright piano", "paint")]))
    assert found.confusion == {"piano-tuner": {"bread-baker": 2}}
    assert found.skills == {"piano-tuner": Rate(1, 4, 0)}


def test_a_close_win_is_fragile():
    long = "bake rye bread, wheat cakes, oat rolls and corn pies"
    close = router([("x", f"{long} daily"), ("y", f"{long} weekly here")])
    found = quality(judge(close, [Query("x", "bake rye bread"), Query("x", "daily")]))
    assert [outcome.query.text for outcome in found.fragile] == ["bake rye bread"]


def test_negatives_are_counted():
    queries = [
        Query("bread-baker", "rye", "negative"),
        Query("bread-baker", "quantum", "negative"),
        Query("bread-baker", "piano", "negative", owner="piano-tuner"),
    ]
    found = quality(judge(CATALOG, queries))
    assert (found.negatives, found.failed_negatives, found.vacuous_negatives) == (3, 1, 1)
