"""Pairs of skills whose descriptions say nearly the same.

Similarity is the cosine of the single words of two descriptions, weighted as in `index.py`. Names are left out, as they
would dilute two equal descriptions; so are hand-off clauses, where siblings name each other's work, and word pairs,
which a changed verb breaks. Identical descriptions are 1 however small the catalog, since no weight is 0.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from skillcheck.router.document import document, surfaces
from skillcheck.router.index import engine, inverse, vector
from skillcheck.router.ranking import TIE

SHOWN = 8
"""How many shared words a collision names."""


class Collision(NamedTuple):
    """Two alike skills, `a` before `b` by name.

    `similarity` in 0..1; `shared`: the words that weigh most in it, as `a` writes them.
    """

    a: str
    b: str
    similarity: float
    shared: tuple[str, ...]


def collisions(skills: Iterable[tuple[str, str]], threshold: float) -> tuple[Collision, ...]:
    """All pairs of (name, description) that are at least `threshold` (0..1) similar, most similar first, then by name.

    Two skills of one name are no pair. Pairs cost memory: below 0.3, a large catalog has very many.
    """
    documents = sorted((document(name, description) for name, description in skills), key=lambda each: each.name)
    counts = [Counter(token for part in each.claims for token in part) for each in documents]
    idf = inverse(Counter(token for each in counts for token in each), len(counts))
    rows = engine(counts, idf).rows(counts)
    pairs = [
        (score, low, high) for low, row in enumerate(rows) for high, score in row.above(threshold - TIE) if low < high
    ]
    pairs = [pair for pair in pairs if documents[pair[1]].name != documents[pair[2]].name]
    pairs.sort(key=lambda pair: (-round(pair[0], 9), pair[1], pair[2]))
    vectors = {position: vector(counts[position], idf) for pair in pairs for position in pair[1:]}
    written = {position: surfaces(documents[position]) for position in {low for _, low, _ in pairs}}
    return tuple(
        Collision(documents[low].name, documents[high].name, score, _shared(vectors[low], vectors[high], written[low]))
        for score, low, high in pairs
    )


def _shared(one: Mapping[str, float], other: Mapping[str, float], written: Mapping[str, str]) -> tuple[str, ...]:
    shares = ((-weight * other[token], token) for token, weight in one.items() if token in other)
    return tuple(written[token] for _, token in sorted(shares)[:SHOWN])
