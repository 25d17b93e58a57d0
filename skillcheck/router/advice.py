"""Why one prompt went wrong, in the author's words.

TF-IDF is a sum over terms, so each figure is exact, not a guess.
"""

from collections.abc import Mapping
from typing import NamedTuple

from skillcheck.router.document import handed_off
from skillcheck.router.quality import Outcome
from skillcheck.router.ranking import Router
from skillcheck.router.tokens import words


class Pull(NamedTuple):
    """What `words` of the prompt, one or two neighbours, add to the favoured skill more than to the slighted one.

    `gain` is a difference of shares of the two scores, above 0.
    """

    words: str
    gain: float


class Missing(NamedTuple):
    """A `word` of the prompt that the slighted skill lacks.

    `skills`: how many in the catalog have it; a word that nobody has can be added without hurting a sibling.
    `favoured_has_it`: adding it sharpens the contest. `handed_off`: the slighted skill has it only in a clause that
    sends work away.
    """

    word: str
    skills: int
    favoured_has_it: bool
    handed_off: bool


class Advice(NamedTuple):
    """What to look at in one failing prompt.

    `favoured` is the skill that scored too much: the winner, or for a
    negative the query's skill. `slighted` scored too little: the query's skill, or for a negative its owner, if any.
    `pulls`: largest first. `missing`: in the order of the prompt.
    """

    favoured: str | None
    slighted: str | None
    pulls: tuple[Pull, ...]
    missing: tuple[Missing, ...]


def advise(router: Router, outcome: Outcome) -> Advice:
    """The advice for one outcome of `judge`; meant for those that failed, since it scores two skills anew."""
    query = outcome.query
    positive = query.kind == "positive"
    favoured = outcome.winner if positive else query.skill
    slighted = query.skill if positive else query.owner
    written: dict[str, str] = {}
    for token, word in words(query.text):
        written.setdefault(token, word)
    return Advice(
        favoured=favoured,
        slighted=slighted,
        pulls=_pulls(router, query.text, favoured, slighted, written),
        missing=_missing(router, favoured, slighted, written),
    )


def _pulls(
    router: Router, prompt: str, favoured: str | None, slighted: str | None, written: Mapping[str, str]
) -> tuple[Pull, ...]:
    less = router.contributions(prompt, slighted) if slighted in router.names else {}
    more = router.contributions(prompt, favoured) if favoured in router.names else {}
    gains = ((term, share - less.get(term, 0.0)) for term, share in more.items())
    positive = sorted(((term, gain) for term, gain in gains if gain > 0), key=lambda pair: (-pair[1], pair[0]))
    return tuple(Pull(" ".join(written[token] for token in term.split(" ")), gain) for term, gain in positive)


def _missing(
    router: Router, favoured: str | None, slighted: str | None, written: Mapping[str, str]
) -> tuple[Missing, ...]:
    own, other = _tokens(router, slighted), _tokens(router, favoured)
    away = _handed_off(router, slighted)
    return tuple(
        Missing(word, router.frequencies.get(token, 0), token in other, token in away)
        for token, word in written.items()
        if slighted in router.names and token not in own
    )


def _tokens(router: Router, name: str | None) -> frozenset[str]:
    return frozenset().union(
        *((*each.title, *(t for part in each.claims for t in part)) for each in router.documents if each.name == name)
    )


def _handed_off(router: Router, name: str | None) -> Mapping[str, str]:
    return {token: word for each in router.documents if each.name == name for token, word in handed_off(each).items()}
