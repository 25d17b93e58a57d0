import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillcheck.router import index as index_module
from skillcheck.router import tfidf
from skillcheck.router.document import terms
from skillcheck.router.index import PAIR_WEIGHT, index, inverse, vector

WORDS = st.sampled_from(["ship", "test", "code", "c++", "数据", "plan", "a", "b"])
TEXTS = st.lists(WORDS, max_size=9).map(terms)


def both(counts):
    idf = inverse(Counter(term for each in counts for term in each), len(counts))
    return index(counts, idf), tfidf.index(counts, PAIR_WEIGHT)


@settings(deadline=None, max_examples=60)
@given(st.lists(TEXTS, min_size=1, max_size=8).filter(any), st.lists(TEXTS, min_size=1, max_size=4))
def test_postings_and_sparse_products_give_the_same_scores(counts, queries):
    plain, sparse = both(counts)
    for one, other in zip(plain.rows(queries), sparse.rows(queries), strict=True):
        assert dict(one.above(0)) == pytest.approx(dict(other.above(0)), abs=1e-9)
        assert one.top(math.inf) == pytest.approx(other.top(math.inf), abs=1e-9)


def test_rows_answer_alike():
    counts = [terms(("ship", "code")), terms(("ship",)), terms(("plan",))]
    for engine in both(counts):
        (row,) = engine.rows([terms(("ship",))])
        assert row.score(1) == pytest.approx(1)
        assert row.score(2) == 0
        assert row.count(1e-12) == 2
        assert [position for position, _ in row.above(0.9)] == [1]
        assert row.top(0.9) == pytest.approx(row.score(0))
        assert row.top(1e-12) == 0


def test_many_queries_are_answered_in_order(monkeypatch):
    monkeypatch.setattr(tfidf, "CHUNK", 2)
    counts = [terms((word,)) for word in ("ship", "code", "plan")]
    _, sparse = both(counts)
    assert [dict(row.above(0)) for row in sparse.rows(counts)] == [{0: 1.0}, {1: 1.0}, {2: 1.0}]


def test_weights_are_those_of_the_formula():
    idf = inverse({"ship": 1, "ship code": 2}, 3)
    assert idf == pytest.approx({"ship": math.log(4 / 2) + 1, "ship code": (math.log(4 / 3) + 1) * PAIR_WEIGHT})
    weights = vector({"ship": 3, "ship code": 1, "unknown": 5}, idf)
    left, right = (1 + math.log(3)) * idf["ship"], idf["ship code"]
    assert weights == pytest.approx(
        {"ship": left / math.hypot(left, right), "ship code": right / math.hypot(left, right)}
    )


def test_a_term_that_all_have_still_weighs():
    assert inverse({"ship": 5}, 5)["ship"] == pytest.approx(1)


def test_large_catalogs_without_a_word_have_empty_rows():
    (row,) = index_module.engine([{}] * (index_module.LARGE + 1), {}).rows([terms(("ship",))])
    assert row.above(0) == []
