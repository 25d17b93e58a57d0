"""Large catalogs: the scores of `ranking.py` by scikit-learn and sparse products. Nothing is imported before the first call."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

CHUNK = 256
"""Rows multiplied at a time, so that memory stays bounded: a chunk against 10,000 skills is 20 MB when dense."""


@dataclass(frozen=True, slots=True)
class SparseIndex:
    """A fitted vectorizer and the (skills x terms) matrix of unit rows, as CSR and transposed."""

    vectorizer: Any
    columns: Any

    def rows(self, queries: Sequence[Mapping[str, int]], least: float = 0.0) -> Iterator[Mapping[int, float]]:
        """For each query, given as term counts, the positions that score above 0 and at least `least`."""
        for start in range(0, len(queries), CHUNK):
            products = (self.vectorizer.transform(queries[start : start + CHUNK]) @ self.columns).tocsr()
            products.data[products.data < least] = 0.0
            products.eliminate_zeros()
            for low, high in itertools.pairwise(products.indptr):
                scores = zip(products.indices[low:high].tolist(), products.data[low:high].tolist(), strict=True)
                yield {position: min(score, 1.0) for position, score in scores}


def index(counts: Sequence[Mapping[str, int]], pair_weight: float) -> SparseIndex:
    """Sparse index of texts given as term counts; terms with a space weigh `pair_weight`."""
    from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415 - takes 1 to 2 s

    vectorizer = TfidfVectorizer(analyzer=_repeat, sublinear_tf=True)
    vectorizer.fit(counts)
    vectorizer.idf_ = vectorizer.idf_ * [
        pair_weight if " " in term else 1.0 for term in vectorizer.get_feature_names_out()
    ]
    return SparseIndex(vectorizer, vectorizer.transform(counts).T.tocsr())


def _repeat(counts: Mapping[str, int]) -> list[str]:
    """The terms, each as often as it counts."""
    return [term for term, count in counts.items() for _ in range(count)]
