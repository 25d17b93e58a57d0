"""What a routing tells beside its findings: numbers and records for machines, tables and a summary for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skillcheck.report import Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from skillcheck.router import Outcome, Quality
    from skillcheck.routing import Routing


def metrics(routing: Routing) -> dict[str, Any]:
    """The numbers of a routing as plain JSON; rates in percent, unrounded values rounded to four decimals."""
    found = routing.quality
    return {
        "positives": found.rank1.scoreable + found.rank1.unscoreable,
        "unscoreable": found.rank1.unscoreable,
        "rank1": found.rank1.hits,
        "rank1_percent": _rounded(found.rank1.percent),
        "rank1_interval": [_rounded(bound) for bound in found.rank1.interval] if found.rank1.interval else None,
        "mrr": _rounded(found.mrr),
        "fragile": len(found.fragile),
        "negatives": found.negatives,
        "failed_negatives": found.failed_negatives,
        "vacuous_negatives": found.vacuous_negatives,
        "floor_percent": routing.floor.catalog if routing.floor else None,
        "by_skill": {name: _rounded(rate.percent) for name, rate in found.skills.items()},
        "confusion": {name: dict(takers) for name, takers in found.confusion.items()},
    }


def records(routing: Routing) -> dict[str, tuple[dict[str, Any], ...]]:
    """Prompts and collisions, one JSON object each."""
    return {
        "prompts": tuple(_prompt_record(routed.outcome) for routed in routing.prompts),
        "collisions": tuple(
            {
                "a": pair.a,
                "b": pair.b,
                "similarity": _rounded(pair.similarity),
                "shared": list(pair.shared),
                "accepted": routing.catalog.config.accepts(pair.a, pair.b),
            }
            for pair in routing.collisions
        ),
    }


def _prompt_record(outcome: Outcome) -> dict[str, Any]:
    query = outcome.query
    return {
        "kind": query.kind,
        "skill": query.skill,
        "prompt": query.text,
        "rank": outcome.rank,
        "score": _rounded(outcome.score),
        "winner": outcome.winner,
        "winner_score": _rounded(outcome.winner_score),
        "margin": _rounded(outcome.margin),
        "passed": outcome.passed,
        "tied": list(outcome.tied),
        "top_k": query.top_k if query.kind == "positive" else None,
        "owner": query.owner,
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def summary(routing: Routing) -> tuple[str, ...]:
    """The result in a few lines for people."""
    found = routing.quality
    if not routing.prompts:
        return (f"no trigger prompts in {routing.catalog.config.cases}: routing was not tested",)
    lines = [_rank1_line(found)]
    if found.negatives:
        passed = found.negatives - found.failed_negatives - found.vacuous_negatives
        vacuous = f", {found.vacuous_negatives} vacuous" if found.vacuous_negatives else ""
        lines.append(f"negatives: {passed} of {found.negatives} passed{vacuous}")
    if routing.floor:
        lines.append(f"floor: {routing.floor.catalog:.2f} % ({routing.catalog.config.ratchet})")
    return tuple(lines)


def _rank1_line(found: Quality) -> str:
    rate = found.rank1
    if rate.percent is None or rate.interval is None:
        return "rank-1: no positive prompt can be scored"
    low, high = rate.interval
    left_out = f" ({rate.unscoreable} without a scoreable token left out)" if rate.unscoreable else ""
    return (
        f"rank-1: {rate.hits} of {rate.scoreable} positive prompts{left_out}, {rate.percent:.1f} %"
        f" (95 % interval {low:.1f} to {high:.1f}), MRR {found.mrr:.3f}, {len(found.fragile)} fragile"
    )


def tables(routing: Routing) -> tuple[Table, ...]:
    """Skills that don't come first for all of their prompts, and who does."""
    found = routing.quality
    rows = tuple(
        (name, f"{rate.hits}/{rate.scoreable}", f"{rate.percent:.0f} %", _takers(found.confusion.get(name, {})))
        for name, rate in found.skills.items()
        if rate.percent is not None and rate.hits < rate.scoreable
    )
    columns = ("skill", "rank-1", "rate", "prompts that others win")
    return (Table("Skills below 100 % rank-1", columns, rows),) if rows else ()


def _takers(takers: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in takers.items())
