"""Which evals a run takes: all, or those that every run holds and a few drawn at random."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, TypeVar

from skillcheck.diagnostic import clipped
from skillcheck.errors import UsageError
from skillcheck.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from skillcheck.catalog.cases import CaseFile, Eval
    from skillcheck.catalog.skill import Skill
    from skillcheck.evals.plan.settings import Settings

    Entry = tuple[Skill, CaseFile, Eval]

T = TypeVar("T")


def selected(entries: Iterable[Entry], settings: Settings) -> tuple[Entry, ...]:
    """The evals that settings ask for, in the given order.

    `sample` counts over all skills; fewer are taken where there are no more. What is drawn depends on the seed and the
    names of the evals alone, so that another eval in the catalog changes one draw at most. Raises UsageError for a tag
    that no eval bears, and where only core evals are asked for and there is none.
    """
    entries = _tagged(tuple(entries), settings)
    if not settings.core and settings.sample is None:
        return entries
    core = [entry for entry in entries if settings.core and entry[2].core]
    if entries and not core and settings.sample is None:
        message = 'no eval of the chosen skills is a core one: mark some with `"core": true`, or add --sample'
        raise UsageError(message)
    others = sorted((entry for entry in entries if entry not in core), key=lambda entry: _lot(entry, settings.seed))
    drawn = others[: settings.sample or 0]
    return tuple(entry for entry in entries if entry in core or entry in drawn)


def part(entries: Sequence[T], shard: tuple[int, int]) -> Sequence[T]:
    """Every n-th entry from the i-th on, for the shard i of n."""
    first, parts = shard
    return entries[first - 1 :: parts]


def _tagged(entries: tuple[Entry, ...], settings: Settings) -> tuple[Entry, ...]:
    known = {tag for _, _, case in entries for tag in case.card.tags}
    for tag in settings.tags:
        if entries and tag not in known:
            listed = f"; there are {clipped(', '.join(sorted(known)))}" if known else ""
            message = f"no eval of the chosen skills has the tag {tag!r}{did_you_mean(tag, known, listed)}"
            raise UsageError(message)
    return tuple(entry for entry in entries if not settings.tags or set(settings.tags).intersection(entry[2].card.tags))


def _lot(entry: Entry, seed: int) -> bytes:
    skill, _, case = entry
    return hashlib.sha256(f"{seed}\0{skill.name}\0{case.id}".encode("utf-8", "surrogatepass")).digest()
