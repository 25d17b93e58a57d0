"""Pairs of skills whose descriptions say nearly the same.

Similarity is the cosine of the single words of two descriptions, weighted as in `ranking.py`. Names are left out, as they would dilute
two equal descriptions; so are hand-off clauses, where siblings name each other's work, and word pairs, which a changed verb breaks.
Identical descriptions are 1 however small the catalog, since no weight is 0.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from skillcheck.router.document import Document, surfaces
from skillcheck.router.ranking import TIE, Router, engine, inverse, vector

SHOWN = 8
"""How many shared words a collision names."""


@dataclass(frozen=True, slots=True)
class Collision:
    """Skills `a` and `b`, `a` before `b` by name; `similarity` in 0..1; `shared` the words that weigh most in it, as `a` writes them."""

    a: str
    b: str
    similarity: float
    shared: tuple[str, ...]


def collisions(router: Router, threshold: float) -> tuple[Collision, ...]:
    """All pairs that are at least `threshold` (0..1) similar, most similar first, then by name. Skills of equal name are no pair."""
    counts = [Counter(token for part in each.claims for token in part) for each in router.documents]
    idf = inverse(Counter(token for each in counts for token in each), len(counts))
    rows = engine(counts, idf).rows(counts, max(threshold - TIE, 0.0))
    pairs = [(low, high, score) for low, row in enumerate(rows) for high, score in row.items() if low < high]
    found = (_collision(router.documents[low], router.documents[high], score, idf) for low, high, score in pairs)
    return tuple(sorted((each for each in found if each.a != each.b), key=lambda each: (-round(each.similarity, 9), each.a, each.b)))


def _collision(one: Document, other: Document, similarity: float, idf: Mapping[str, float]) -> Collision:
    first, second = sorted((one, other), key=lambda each: each.name)
    left, right = (vector(Counter(token for part in each.claims for token in part), idf) for each in (first, second))
    shared = sorted((token for token in left if token in right), key=lambda token: (-left[token] * right[token], token))
    written = surfaces(first)
    return Collision(first.name, second.name, similarity, tuple(written[token] for token in shared[:SHOWN]))
