"""TF-IDF vectors of texts and the index that finds their cosines with a query.

Weight of a term in a text: (1 + ln count) * idf, idf = ln((1 + n) / (1 + df)) + 1 over the n texts, times PAIR_WEIGHT
for a pair of words; vectors have length 1. That is `sublinear_tf` and `smooth_idf` in scikit-learn (Manning et al.,
Introduction to Information Retrieval, 6.4). Small catalogs are scored by postings in plain Python, large ones by sparse
products in `tfidf.py`, with the same scores.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

PAIR_WEIGHT = 0.7
"""What a pair of neighbours counts beside its two words: in full, chance phrases decide in long catalogs."""

LARGE = 1000
"""Above this number of texts sparse products pay for importing scikit-learn (1 to 2 s)."""


class Row(Protocol):
    """Scores of one prompt by the position of the skill; those of 0 are left out."""

    def score(self, position: int) -> float:
        """Score at `position`, 0 if left out."""

    def count(self, least: float) -> int:
        """How many scores are at least `least`."""

    def top(self, below: float) -> float:
        """Largest score under `below`, 0 without one."""

    def above(self, least: float) -> list[tuple[int, float]]:
        """(position, score) of those that are at least `least`, in no order."""


class Engine(Protocol):
    """Texts made ready to be compared with queries."""

    def rows(self, queries: Sequence[Mapping[str, int]]) -> Iterator[Row]:
        """The row of each query, a query given as term counts, in order."""


def engine(counts: Sequence[Mapping[str, int]], idf: Mapping[str, float]) -> Engine:
    """The engine that is faster for so many texts, given as term counts."""
    if len(counts) <= LARGE or not any(counts):
        return index(counts, idf)
    from skillcheck.router import tfidf  # noqa: PLC0415 - catalogs are seldom so large

    return tfidf.index(counts, PAIR_WEIGHT)


def inverse(frequencies: Mapping[str, int], size: int) -> dict[str, float]:
    """Weight of each term that so many of `size` texts have: smooth idf, which is at least 1, less for pairs."""
    return {
        term: (math.log((1 + size) / (1 + frequency)) + 1) * (PAIR_WEIGHT if " " in term else 1)
        for term, frequency in frequencies.items()
    }


def vector(counts: Mapping[str, int], idf: Mapping[str, float]) -> dict[str, float]:
    """Weights of the counted terms that `idf` knows, scaled to length 1; empty when it knows none."""
    weights = {term: (1 + math.log(count)) * idf[term] for term, count in counts.items() if term in idf}
    length = math.sqrt(sum(weight * weight for weight in weights.values()))
    return {term: weight / length for term, weight in weights.items()}


@dataclass(frozen=True, slots=True)
class Scores:
    """A row as position -> score."""

    scores: Mapping[int, float]

    def score(self, position: int) -> float:
        """See Row."""
        return self.scores.get(position, 0.0)

    def count(self, least: float) -> int:
        """See Row."""
        return sum(map(least.__le__, self.scores.values()))

    def top(self, below: float) -> float:
        """See Row."""
        return max((score for score in self.scores.values() if score < below), default=0.0)

    def above(self, least: float) -> list[tuple[int, float]]:
        """See Row."""
        return [pair for pair in self.scores.items() if pair[1] >= least]


@dataclass(frozen=True, slots=True)
class Index:
    """Postings: term -> (position, weight in that skill's vector)."""

    size: int
    idf: Mapping[str, float]
    postings: Mapping[str, Sequence[tuple[int, float]]]

    def rows(self, queries: Iterable[Mapping[str, int]]) -> Iterator[Row]:
        """The row of each query, a query given as term counts."""
        for query in queries:
            sums = [0.0] * self.size
            for term, weight in vector(query, self.idf).items():
                for position, other in self.postings[term]:
                    sums[position] += weight * other
            yield Scores({position: min(total, 1.0) for position, total in enumerate(sums) if total})


def index(counts: Sequence[Mapping[str, int]], idf: Mapping[str, float]) -> Index:
    """Inverted index of texts given as term counts."""
    postings = defaultdict(list)
    for position, each in enumerate(counts):
        for term, weight in vector(each, idf).items():
            postings[term].append((position, weight))
    return Index(len(counts), idf, postings)
