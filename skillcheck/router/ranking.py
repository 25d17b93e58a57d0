"""Ranks skills for a prompt by the cosine of TF-IDF vectors, so that every score is an exact sum over shared terms.

Weight of a term in a text: (1 + ln count) * idf, idf = ln((1 + n) / (1 + df)) + 1 over the n skills, times PAIR_WEIGHT for a pair of
words; vectors have length 1. That is `sublinear_tf` and `smooth_idf` in scikit-learn (Manning et al., Introduction to Information
Retrieval, 6.4). Small catalogs are scored
by an inverted index here; large ones by sparse products in `tfidf.py`, with the same scores.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest

from skillcheck.router import tfidf
from skillcheck.router.document import Document, document, terms, weighted
from skillcheck.router.tokens import tokens

TIE = 1e-9
"""Scores this close are equal: they differ by the order of a sum, not by the texts."""

PAIR_WEIGHT = 0.7
"""What a pair of neighbours counts beside its two single words: in full it makes long catalogs hang on chance phrases."""

LARGE = 1000
"""Above this number of skills sparse products pay for importing scikit-learn (1 to 2 s)."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """How all skills score for one prompt.

    `names`: all skills, by position. `scores`: position -> score in (0, 1], skills that score 0 left out. `scoreable` is false when the
    prompt has no token at all, which is not the same as matching nothing.
    """

    names: tuple[str, ...]
    scores: Mapping[int, float]
    scoreable: bool

    def best(self, count: int | None = None) -> tuple[tuple[str, float], ...]:
        """The `count` best (skill, score), all that score by default; equal scores are in name order, which means nothing."""
        pairs = ((self.names[position], score) for position, score in self.scores.items())
        return tuple(sorted(pairs, key=lambda pair: (-round(pair[1], 9), pair[0]))[:count])

    def score(self, skill: str) -> float:
        """Score of `skill` in 0..1; 0 also for a name that is not in the catalog."""
        return max((score for position, score in self.scores.items() if self.names[position] == skill), default=0.0)

    def rank(self, skill: str) -> int | None:
        """Rank of `skill` from 1 when it loses every tie, or None when it scores 0."""
        own = self.score(skill)
        return 1 + self._others(skill, own - TIE) if own else None

    def best_rank(self, skill: str) -> int | None:
        """Rank of `skill` from 1 when it wins every tie, or None when it scores 0."""
        own = self.score(skill)
        return 1 + self._others(skill, own + TIE) if own else None

    def leaders(self) -> tuple[str, ...]:
        """The skills that share the best score, in name order; one if nobody ties, none if nothing scores."""
        least = max(self.scores.values(), default=0.0) - TIE
        return tuple(sorted({self.names[position] for position, score in self.scores.items() if score >= least}))

    def margin(self) -> float | None:
        """Lead of the best skill over the next as a share of its score: 0 on a tie, 1 when alone, None when nothing scores."""
        first, second, *_ = (*nlargest(2, self.scores.values()), 0.0, 0.0)
        if not first:
            return None
        return 0.0 if first - second <= TIE else (first - second) / first

    def _others(self, skill: str, least: float) -> int:
        return sum(score >= least and self.names[position] != skill for position, score in self.scores.items())


@dataclass(frozen=True, slots=True)
class Router:
    """A catalog made ready to rank prompts; build it with `router`.

    `documents` and `names` in the order given. For each term: `frequencies`, how many skills have it, and `idf`, its weight.
    """

    documents: tuple[Document, ...]
    names: tuple[str, ...]
    frequencies: Mapping[str, int]
    idf: Mapping[str, float]
    index: "Index | tfidf.SparseIndex"

    def rank(self, prompt: str) -> Ranking:
        """All skills for one prompt."""
        return next(self.rank_all((prompt,)))

    def rank_all(self, prompts: Iterable[str]) -> Iterator[Ranking]:
        """A ranking for each prompt, in order; large catalogs are much faster in one call than prompt by prompt."""
        queries = [terms(tokens(prompt)) for prompt in prompts]
        for query, scores in zip(queries, self.index.rows(queries), strict=True):
            yield Ranking(self.names, scores, bool(query))

    def contributions(self, prompt: str, skill: str) -> Mapping[str, float]:
        """What each shared term adds to the score of `skill`, largest first; the values sum to the score.

        Raises KeyError for a name that is not in the catalog.
        """
        if skill not in self.names:
            raise KeyError(skill)
        query = vector(terms(tokens(prompt)), self.idf)
        body = vector(weighted(self.documents[self.names.index(skill)]), self.idf)
        shared = {term: weight * body[term] for term, weight in query.items() if term in body}
        return dict(sorted(shared.items(), key=lambda item: (-item[1], item[0])))


@dataclass(frozen=True, slots=True)
class Index:
    """Postings: term -> (position, weight in that skill's vector)."""

    size: int
    idf: Mapping[str, float]
    postings: Mapping[str, Sequence[tuple[int, float]]]

    def rows(self, queries: Iterable[Mapping[str, int]], least: float = 0.0) -> Iterator[Mapping[int, float]]:
        """For each query, given as term counts, the positions that score above 0 and at least `least`."""
        for query in queries:
            sums = [0.0] * self.size
            for term, weight in vector(query, self.idf).items():
                for position, other in self.postings[term]:
                    sums[position] += weight * other
            yield {position: min(total, 1.0) for position, total in enumerate(sums) if total and total >= least}


def router(skills: Iterable[tuple[str, str]]) -> Router:
    """A router over (name, description) pairs. Equal names are kept as they are and answer for each other."""
    documents = tuple(document(name, description) for name, description in skills)
    counts = [weighted(each) for each in documents]
    frequencies = Counter(term for each in counts for term in each)
    idf = inverse(frequencies, len(counts))
    return Router(documents, tuple(each.name for each in documents), frequencies, idf, engine(counts, idf))


def inverse(frequencies: Mapping[str, int], size: int) -> dict[str, float]:
    """Weight of each term that so many of `size` texts have: smooth idf, which is at least 1, less for pairs."""
    return {
        term: (math.log((1 + size) / (1 + frequency)) + 1) * (PAIR_WEIGHT if " " in term else 1)
        for term, frequency in frequencies.items()
    }


def engine(counts: Sequence[Mapping[str, int]], idf: Mapping[str, float]) -> "Index | tfidf.SparseIndex":
    """The index that is faster for so many texts."""
    return tfidf.index(counts, PAIR_WEIGHT) if len(counts) > LARGE else index(counts, idf)


def vector(counts: Mapping[str, int], idf: Mapping[str, float]) -> dict[str, float]:
    """Weights of the counted terms that `idf` knows, scaled to length 1; empty when it knows none."""
    weights = {term: (1 + math.log(count)) * idf[term] for term, count in counts.items() if term in idf}
    length = math.sqrt(sum(weight * weight for weight in weights.values()))
    return {term: weight / length for term, weight in weights.items()}


def index(counts: Sequence[Mapping[str, int]], idf: Mapping[str, float]) -> Index:
    """Inverted index of texts given as term counts."""
    postings = defaultdict(list)
    for position, each in enumerate(counts):
        for term, weight in vector(each, idf).items():
            postings[term].append((position, weight))
    return Index(len(counts), idf, postings)
