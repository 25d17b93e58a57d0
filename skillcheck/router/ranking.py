"""Ranks the skills of a catalog for a prompt; every score is an exact sum over the terms that both share."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from skillcheck.router.document import Document, document, terms, weighted
from skillcheck.router.index import Engine, Row, engine, inverse, vector
from skillcheck.router.tokens import tokens

TIE = 1e-9
"""Scores this close are equal: they differ by the order of a sum, not by the texts."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """How all skills score for one prompt.

    `names`: all skills, by position; `places`: the positions of a name. `scoreable` is false when the prompt has no
    token at all, which is not the same as matching nothing.
    """

    names: tuple[str, ...]
    places: Mapping[str, Sequence[int]]
    row: Row
    scoreable: bool

    @property
    def top(self) -> float:
        """Best score, 0 when nothing scores."""
        return self.row.top(math.inf)

    def best(self, count: int | None = None) -> tuple[tuple[str, float], ...]:
        """The `count` best (skill, score), by default all that score; ties in name order, which means nothing."""
        pairs = ((self.names[position], score) for position, score in self.row.above(0.0))
        return tuple(sorted(pairs, key=lambda pair: (-round(pair[1], 9), pair[0]))[:count])

    def score(self, skill: str) -> float:
        """Score of `skill` in 0..1; 0 also for a name that is not in the catalog."""
        return max((self.row.score(position) for position in self.places.get(skill, ())), default=0.0)

    def rank(self, skill: str) -> int | None:
        """Rank of `skill` from 1 when it loses every tie, or None when it scores 0."""
        return self._rank(skill, -TIE)

    def best_rank(self, skill: str) -> int | None:
        """Rank of `skill` from 1 when it wins every tie, or None when it scores 0."""
        return self._rank(skill, TIE)

    def _rank(self, skill: str, slack: float) -> int | None:
        scores = [self.row.score(position) for position in self.places.get(skill, ())]
        own = max(scores, default=0.0)
        return 1 + self.row.count(own + slack) - sum(score >= own + slack for score in scores) if own else None

    def leaders(self) -> tuple[str, ...]:
        """The skills that share the best score, in name order; one if nobody ties, none if nothing scores."""
        top = self.top
        return tuple(sorted({self.names[position] for position, _ in self.row.above(top - TIE)})) if top else ()

    def margin(self) -> float | None:
        """The best skill's lead as a share of its score: 0 on a tie, 1 when alone, None when nothing scores."""
        top = self.top
        if not top:
            return None
        return 0.0 if self.row.count(top - TIE) > 1 else 1 - self.row.top(top - TIE) / top


@dataclass(frozen=True, slots=True)
class Router:
    """A catalog made ready to rank prompts; build it with `router`.

    `documents` and `names` in the order given. `places`: the positions of a name. For each term: `frequencies`, how
    many skills have it, and `idf`, its weight.
    """

    documents: tuple[Document, ...]
    names: tuple[str, ...]
    frequencies: Mapping[str, int]
    idf: Mapping[str, float]
    places: Mapping[str, Sequence[int]]
    index: Engine

    def rank(self, prompt: str) -> Ranking:
        """All skills for one prompt."""
        return next(self.rank_all((prompt,)))

    def rank_all(self, prompts: Iterable[str]) -> Iterator[Ranking]:
        """A ranking for each prompt, in order; large catalogs are much faster in one call than prompt by prompt."""
        queries = [terms(tokens(prompt)) for prompt in prompts]
        for query, row in zip(queries, self.index.rows(queries), strict=True):
            yield Ranking(self.names, self.places, row, bool(query))

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


def router(skills: Iterable[tuple[str, str]]) -> Router:
    """A router over (name, description) pairs. Equal names are kept as they are and answer for each other."""
    documents = tuple(document(name, description) for name, description in skills)
    counts = [weighted(each) for each in documents]
    frequencies = Counter(term for each in counts for term in each)
    idf = inverse(frequencies, len(counts))
    places: dict[str, list[int]] = defaultdict(list)
    for position, each in enumerate(documents):
        places[each.name].append(position)
    names = tuple(each.name for each in documents)
    return Router(documents, names, frequencies, idf, dict(places), engine(counts, idf))
