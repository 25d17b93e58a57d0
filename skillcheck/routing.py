"""A catalog's trigger prompts, routed: what the rules on routing look at."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from skillcheck.catalog.prompts import quoted
from skillcheck.diagnostic import Problem, Related
from skillcheck.errors import UsageError
from skillcheck.router import (
    Advice,
    Collision,
    Missing,
    Outcome,
    Quality,
    Query,
    Router,
    advise,
    collisions,
    judge,
    quality,
    router,
)
from skillcheck.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from skillcheck.catalog.cases import CaseFile, Prompt
    from skillcheck.catalog.catalog import Catalog
    from skillcheck.catalog.skill import Skill
    from skillcheck.router import Floor
    from skillcheck.span import Span

SHOWN_WORDS = 6
"""How many words of each kind an explanation names."""
OVERLAP, COLLISION = 0.50, 0.75
"""Similarities of descriptions, 0 to 1, from which a pair is worth a warning, and an error."""


@dataclass(frozen=True, slots=True)
class Routed:
    """One prompt with the file it stands in and what the router did with it."""

    file: CaseFile
    prompt: Prompt
    outcome: Outcome

    @property
    def span(self) -> Span:
        """Where the prompt's entry stands."""
        return self.file.span(*self.prompt.at)

    @property
    def quoted(self) -> str:
        """The prompt as messages quote it."""
        return quoted(self.prompt.text)


@dataclass(frozen=True)
class Routing:
    """All prompts of a catalog, routed. `floor` is the frozen one, `before` that of the revision to compare with.

    `least` is the rank-1 rate in percent that the command line asks for.
    """

    catalog: Catalog
    skills: tuple[Skill, ...]
    router: Router = field(repr=False)
    prompts: tuple[Routed, ...] = field(repr=False)
    floor: Floor | None = None
    before: Floor | None = None
    least: float | None = None

    @cached_property
    def quality(self) -> Quality:
        """The metrics over all prompts."""
        return quality(routed.outcome for routed in self.prompts)

    @cached_property
    def collisions(self) -> tuple[Collision, ...]:
        """Pairs of alike descriptions, most similar first."""
        overlap = self.catalog.config.option("overlapping-descriptions", "threshold", OVERLAP)
        pairs = ((skill.name, skill.description) for skill in self.skills)
        return collisions(pairs, min(overlap, self.collide_from))

    @property
    def collide_from(self) -> float:
        """The similarity, 0 to 1, from which a pair is reported as colliding."""
        return float(self.catalog.config.option("colliding-descriptions", "threshold", COLLISION))

    @cached_property
    def by_name(self) -> Mapping[str, Skill]:
        """The skill that stands for each name."""
        return {skill.name: skill for skill in self.skills}

    def selected(self, kind: Literal["positive", "negative"]) -> Iterator[Routed]:
        """The prompts of one kind that belong to selected skills."""
        for routed in self.prompts:
            skill = self.by_name.get(routed.outcome.query.skill)
            if routed.outcome.query.kind == kind and skill and skill.shown in self.catalog.selected:
                yield routed

    def advice(self, routed: Routed) -> Advice:
        """Why a prompt went where it went."""
        return advise(self.router, routed.outcome)


def route(
    catalog: Catalog, *, floor: Floor | None = None, before: Floor | None = None, least: float | None = None
) -> Routing:
    """Rank the skills for every trigger prompt.

    A name that is taken twice stands for the first skill in path order; a case file may be called by the folder's name.
    """
    _check_accepted(catalog)
    prompted = {file.stem for file in catalog.case_files if file.positives or file.negatives}
    firsts = (found[0] for found in catalog.names.values())
    skills = tuple(skill for skill in firsts if _takes_part(skill, prompted=skill.name in prompted))
    names = {skill.folder: skill.name for skill in skills} | {skill.name: skill.name for skill in skills}
    made = router((skill.name, skill.description) for skill in skills)
    pairs = [
        (file, prompt, query)
        for file in catalog.case_files
        if file.stem in names
        for prompt, query in _queries(file, names, catalog.config.top_k)
    ]
    outcomes = judge(made, [query for _, _, query in pairs])
    prompts = tuple(Routed(file, prompt, outcome) for (file, prompt, _), outcome in zip(pairs, outcomes, strict=True))
    return Routing(catalog, skills, made, prompts, floor, before, least)


def _check_accepted(catalog: Catalog) -> None:
    """An accepted pair of a skill that isn't there would never be missed, and hides that its name was mistyped."""
    for name in sorted(name for pair in catalog.config.accepted_collisions for name in pair):
        if name not in catalog.known:
            message = f"accepted-collisions: no skill {name!r}{did_you_mean(name, catalog.known)}"
            raise UsageError(message)


def _takes_part(skill: Skill, *, prompted: bool) -> bool:
    """Hosts list a skill that has a description, unless the model may not invoke it."""
    return bool(skill.description) and (prompted or not skill.is_hidden)


def _queries(file: CaseFile, names: Mapping[str, str], top_k: int) -> Iterator[tuple[Prompt, Query]]:
    """The queries of a case file; an owner that takes no part, or is the skill itself, is left to other rules."""
    skill = names[file.stem]
    for prompt in file.positives:
        yield prompt, Query(skill, prompt.text, "positive", prompt.top_k or top_k)
    for prompt in file.negatives:
        owner = names.get(prompt.owner or "")
        yield prompt, Query(skill, prompt.text, "negative", owner=None if owner == skill else owner)


def explain(routing: Routing, routed: Routed) -> str:
    """What pulled a prompt to the wrong skill, and which of its words the right one lacks."""
    advice = routing.advice(routed)
    parts = []
    if advice.favoured and advice.pulls:
        pulls = ", ".join(f"{pull.words!r} +{pull.gain:.3f}" for pull in advice.pulls[:SHOWN_WORDS])
        parts.append(f"{advice.favoured} is pulled up by {pulls}")
    if advice.slighted and advice.missing:
        words = ", ".join(_missing(word) for word in advice.missing[:SHOWN_WORDS])
        parts.append(f"{advice.slighted} lacks {words}")
    return "; ".join(parts)


def _missing(missing: Missing) -> str:
    """A missing word with who has it: a word that nobody has can be added without harm."""
    if missing.handed_off:
        return f"{missing.word!r} (only in a clause that hands work off)"
    if missing.favoured_has_it:
        return f"{missing.word!r} (the other has it)"
    return f"{missing.word!r} ({missing.skills} have it)" if missing.skills else f"{missing.word!r} (nobody has it)"


def alike(routing: Routing, least: float, below: float = 2.0) -> Iterator[tuple[str, Problem]]:
    """A problem for each pair of descriptions whose similarity lies in [`least`, `below`) and that nobody accepted."""
    for pair in routing.collisions:
        one, other = routing.by_name[pair.a], routing.by_name[pair.b]
        reported = {one.shown, other.shown} & routing.catalog.selected
        if not least <= pair.similarity < below or routing.catalog.config.accepts(pair.a, pair.b) or not reported:
            continue
        message = f"descriptions of {pair.a} and {pair.b} are {100 * pair.similarity:.0f} % similar"
        hint = "both say " + ", ".join(pair.shared)
        related = Related(other.shown, other.value_span("description"), f"{pair.b} is described here")
        yield one.shown, Problem(one.value_span("description"), message, hint, related=(related,))
