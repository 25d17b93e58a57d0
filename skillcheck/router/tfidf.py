"""The scores of `index.py` by scikit-learn and sparse products, for large catalogs; imported when one is built."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

CHUNK = 256
"""Rows multiplied at a time, to bound memory: one chunk against 10,000 skills has at most 31 MB."""


@dataclass(frozen=True, slots=True)
class SparseScores:
    """A row as arrays of positions and of their scores."""

    positions: Any
    scores: Any

    def score(self, position: int) -> float:
        """See index.Row."""
        return float(self.scores[self.positions == position].sum())

    def count(self, least: float) -> int:
        """See index.Row."""
        return int((self.scores >= least).sum())

    def top(self, below: float) -> float:
        """See index.Row."""
        return float(self.scores[self.scores < below].max(initial=0.0))

    def above(self, least: float) -> list[tuple[int, float]]:
        """See index.Row."""
        chosen = self.scores >= least
        return list(zip(self.positions[chosen].tolist(), self.scores[chosen].tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class SparseIndex:
    """A fitted vectorizer, the factor of each term, and the matrix of unit vectors (terms x skills, CSR)."""

    vectorizer: Any
    factors: Any
    columns: Any

    def rows(self, queries: Sequence[Mapping[str, int]]) -> Iterator[SparseScores]:
        """The row of each query, a query given as term counts."""
        for start in range(0, len(queries), CHUNK):
            chunk = self.vectorizer.transform(queries[start : start + CHUNK])
            products = _unit(chunk, self.factors) @ self.columns
            scores = products.data.clip(max=1.0)
            for low, high in itertools.pairwise(products.indptr):
                yield SparseScores(products.indices[low:high], scores[low:high])


def index(counts: Sequence[Mapping[str, int]], pair_weight: float) -> SparseIndex:
    """Sparse index of texts given as term counts; terms with a space weigh `pair_weight`."""
    from scipy.sparse import diags  # noqa: PLC0415 - these take 1 to 2 s
    from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415

    vectorizer = TfidfVectorizer(analyzer=_repeat, sublinear_tf=True, norm=None)
    matrix = vectorizer.fit_transform(counts)
    factors = diags([pair_weight if " " in term else 1.0 for term in vectorizer.get_feature_names_out()])
    return SparseIndex(vectorizer, factors, _unit(matrix, factors).T.tocsr())


def _repeat(counts: Mapping[str, int]) -> list[str]:
    """The terms, each as often as it counts."""
    return [term for term, count in counts.items() for _ in range(count)]


def _unit(matrix: Any, factors: Any) -> Any:
    """The rows with their terms weighted, scaled to length 1; rows of zeros stay."""
    from sklearn.preprocessing import normalize  # noqa: PLC0415

    return normalize((matrix @ factors).tocsr(), copy=False)
