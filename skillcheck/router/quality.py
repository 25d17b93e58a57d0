"""How well a catalog routes its own trigger prompts: outcomes prompt by prompt, and the metrics over them."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from skillcheck.router.ranking import TIE, Ranking, Router

FRAGILE_MARGIN = 0.10
"""A win by less than this share of the winner's score flips with a small edit to either description."""


@dataclass(frozen=True, slots=True)
class Query:
    """A trigger prompt of a case file.

    A positive should rank `skill` within `top_k` (from 1). A negative should not rank it first and should rank `owner`,
    when given, above it.
    """

    skill: str
    text: str
    kind: Literal["positive", "negative"] = "positive"
    top_k: int = 3
    owner: str | None = None


class Outcome(NamedTuple):
    """What the router did with one query.

    `scoreable`: the prompt has at least one token. `score`: of the query's skill, 0..1. `rank`: from 1, losing every
    tie (1 + other skills that score at least as much); None when the score is 0. `best_rank`: winning them. `winner`:
    the skill with the best score; on a tie the first by name of those that are not the query's own; None when nothing
    scores. `margin`: the winner's lead over the best other skill as a share of its score, 0 on a tie, 1 when nobody
    else scores; None without a winner. It speaks for the query's skill when that is the winner. `tied`: the skills that
    share the best score, or () when one has it alone. `owner_score`: of the query's owner, 0..1; None without one.
    """

    query: Query
    scoreable: bool
    rank: int | None
    best_rank: int | None
    score: float
    winner: str | None
    winner_score: float
    margin: float | None
    tied: tuple[str, ...]
    owner_score: float | None

    @property
    def owner_outranks(self) -> bool | None:
        """Whether the owner scores more than the query's skill, a tie is not more; None without an owner."""
        return None if self.owner_score is None else self.owner_score > self.score + TIE

    @property
    def passed(self) -> bool:
        """The query's own check; a negative that ties for the first place fails, and a vacuous one passes nothing."""
        if self.query.kind == "positive":
            return self.rank is not None and self.rank <= self.query.top_k
        return not self.vacuous and self.best_rank != 1 and self.owner_outranks is not False

    @property
    def vacuous(self) -> bool:
        """No skill scores, so that a negative without an owner passes by saying nothing."""
        return self.winner is None


def judge(router: Router, queries: Sequence[Query]) -> tuple[Outcome, ...]:
    """The outcome of each query, in order. A skill or owner that the catalog lacks scores 0."""
    rankings = router.rank_all(query.text for query in queries)
    return tuple(_outcome(query, ranking) for query, ranking in zip(queries, rankings, strict=True))


def _outcome(query: Query, ranking: Ranking) -> Outcome:
    leaders = ranking.leaders()
    winner = next((name for name in leaders if name != query.skill), query.skill) if leaders else None
    return Outcome(
        query=query,
        scoreable=ranking.scoreable,
        rank=ranking.rank(query.skill),
        best_rank=ranking.best_rank(query.skill),
        score=ranking.score(query.skill),
        winner=winner,
        winner_score=ranking.top,
        margin=ranking.margin(),
        tied=leaders if len(leaders) > 1 else (),
        owner_score=None if query.owner is None else ranking.score(query.owner),
    )


class Rate(NamedTuple):
    """Rank-1 hits among the positive prompts that can be scored; `unscoreable` ones are counted apart."""

    hits: int
    scoreable: int
    unscoreable: int

    @property
    def percent(self) -> float | None:
        """Hits in percent, 0..100; None without a scoreable prompt."""
        return 100 * self.hits / self.scoreable if self.scoreable else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's 95 % interval of `percent`, in percent (Wilson 1927); None without a scoreable prompt."""
        if not self.scoreable:
            return None
        n, share, z = self.scoreable, self.hits / self.scoreable, 1.959964
        center = share + z * z / (2 * n)
        spread = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
        low, high = ((center + side * spread) / (1 + z * z / n) for side in (-1, 1))
        return round(100 * max(0.0, low), 9), round(100 * min(1.0, high), 9)


class Quality(NamedTuple):
    """Metrics of a catalog.

    `rank1`: of all positives. `mrr`: mean reciprocal rank of the scoreable positives, 0..1, a score of 0 adding 0; None
    without any. `skills`: rank-1 rate by skill, for each skill with a positive. `confusion`: skill -> other skill ->
    positives of the first that the other wins alone. `fragile`: positives won by less than FRAGILE_MARGIN.
    `negatives`: how many; `failed_negatives` and `vacuous_negatives` among them.
    """

    rank1: Rate
    mrr: float | None
    skills: Mapping[str, Rate]
    confusion: Mapping[str, Mapping[str, int]]
    fragile: tuple[Outcome, ...]
    negatives: int
    failed_negatives: int
    vacuous_negatives: int


def quality(outcomes: Iterable[Outcome]) -> Quality:
    """The metrics over judged queries."""
    outcomes = tuple(outcomes)
    positives = [outcome for outcome in outcomes if outcome.query.kind == "positive"]
    negatives = [outcome for outcome in outcomes if outcome.query.kind == "negative"]
    reciprocals = [1 / outcome.rank if outcome.rank else 0.0 for outcome in positives if outcome.scoreable]
    by_skill: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in positives:
        by_skill[outcome.query.skill].append(outcome)
    return Quality(
        rank1=_rate(positives),
        mrr=sum(reciprocals) / len(reciprocals) if reciprocals else None,
        skills={skill: _rate(by_skill[skill]) for skill in sorted(by_skill)},
        confusion=_confusion(positives),
        fragile=tuple(each for each in positives if each.rank == 1 and (each.margin or 0) < FRAGILE_MARGIN),
        negatives=len(negatives),
        failed_negatives=sum(not outcome.passed and not outcome.vacuous for outcome in negatives),
        vacuous_negatives=sum(outcome.vacuous for outcome in negatives),
    )


def _rate(positives: Sequence[Outcome]) -> Rate:
    scoreable = sum(outcome.scoreable for outcome in positives)
    return Rate(sum(outcome.rank == 1 for outcome in positives), scoreable, len(positives) - scoreable)


def _confusion(positives: Iterable[Outcome]) -> Mapping[str, Mapping[str, int]]:
    taken: dict[str, Counter[str]] = defaultdict(Counter)
    for outcome in positives:
        if outcome.winner and outcome.winner != outcome.query.skill and not outcome.tied:
            taken[outcome.query.skill][outcome.winner] += 1
    return {
        victim: dict(sorted(taken[victim].items(), key=lambda pair: (-pair[1], pair[0]))) for victim in sorted(taken)
    }
