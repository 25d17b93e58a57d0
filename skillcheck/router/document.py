"""What of a skill is compared with a prompt: its name, and its description without the clauses that hand work off.

"Not for failing builds (use build-medic)" names the very words of the prompts that the skill declines. Counting them
makes a skill win what its author sent away.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from skillcheck.router.tokens import is_far, tokens, words

NAME_WEIGHT = 2
"""How often each word of a name counts; it is the author's own summary."""

_CUES = r"""
    \b(?:do|does|should|must|can|will)(?:\s+not|n['\u2019]t)\s+(?:be\s+)?(?:
        (?:use|used|trigger|triggered|invoke|invoked|select|activate|cover|handle|replace|run\s+this)\b
        | (?:load|apply|route)\s+(?:this|it)\b)
    | [.;(\u2014]\s*do(?:\s+not|n['\u2019]t)\s+(?:load|apply|route)\b
    | [.;(\u2014]\s*(?:(?:it|this(?:\s+skill)?)\s+)?(?:does\s+not|doesn['\u2019]t)\b
    | [.;(\u2014]\s*(?:it|this(?:\s+skill)?)\s+(?:(?:is|will|can)\s*not|(?:is|wo|ca)n['\u2019]t)\b
    | \bnever\s+(?:for\b|(?:use|trigger|invoke|load)\s+(?:this|it|for|when|if|to)\b)
    | (?:\bnot|n['\u2019]t)\s+
        (?:(?:intended|meant|suitable|designed|appropriate|needed|necessary|applicable|(?:an?|the\s+right)\s+\w+)\s+)?
        (?:for|when|if)\b
    | \bnot\s+this\s+skill\b
    | (?:^|[.;:(\u2014\u2013,]\s*|\b(?:and|or|but)\s+)(?:skip|avoid|ignore)\s+
        (?:this|it|for|when|if|using\s+(?:this|it|for|when))\b
    | [.;(\u2014\n\#]\s*(?:when\s+not\s+to\s+use|excludes?|excluding|exclusions?)\b
    | \b(?:(?:anti|negative|non)[-\s]triggers?|non-goals?):
    | [.;(\u2014]\s*(?!(?:use|for|if|when)\b)[^.;()]{1,99}?\s(?:is|are)\s+
        (?:out\s+of\s+scope|not\s+(?:supported|covered|handled|in\s+scope))\b
    | \bout\s+of\s+scope\b
    | [.;(\u2014]\s*(?!(?:use|for|if|when)\b)[^.;()]{1,99}?\s
        (?:belongs?\s+(?:to|in)|(?:is|are)\s+(?:handled|covered)\s+by)\s+
        (?:the\s+)?(?:[`'"/][\w:/-]+[`'"]?|\w+(?:-\w+)+)(?=\s*(?:skill\b|[.;,)]|$))
    | [.;(\u2014]\s*(?:defer|delegate|redirect|hand\s+(?:\w+\s+){0,4}?(?:off|over)|leave(?:\s+\w+){1,5}?)\s+to\s+
        (?:the\s+)?(?:[`'"/][\w:/-]+[`'"]?|\w+(?:-\w+)+|\w+\s+skill\b)
    | (?:^|[.;(\u2014]\s*)(?:for|if|when)\b[^.;()]{1,160}?[,\u2014:]?\s+(?:use|see|prefer|try|invoke|load|run)\s+
        (?:the\s+)?(?!(?:this|it|our|your)\b)[`'"/]?[\w:/-]+[`'"]?\s+(?:skill\b|instead\b)
    | (?:^|[.;(\u2014]\s*)(?:for|if)\b[^.;()]{1,160}?[,\u2014:]?\s+(?:use|see|prefer|try|invoke|load|run)\s+
        (?:the\s+)?(?:[`'"/][\w:/-]+[`'"]?|\w+(?:-\w+)+)(?=\s*(?:[.;)]|$))
    | \b(?:use|prefer|try|see|invoke|load)\s+(?:the\s+)?(?!(?:this|it)\b)
        [`'"/]?[\w:/-]+[`'"]?(?:\s+skill)?\s+instead\b(?!\s+of\b)
    | \bn(?:e\s+pas|['\u2019])\s*utilise[rz]\b | \bpas\s+pour\b
    | \bno\s+(?:usar|utilizar|use|usa|sirve)\b | \bnicht\s+(?:f\u00fcr|zum|zur|verwenden|geeignet|gedacht)\b
    | \bnon\s+(?:usare|usarlo|utilizzare|adatt[oa])\b | \bn\u00e3o\s+(?:us[ae]r?|utiliz[ae]r?|serve)\b
    """
# Compiled only for texts in these scripts, since compiling takes a while.
_FAR_CUES = r"""
    | (?:请?不要|请?勿|不应|不可|禁止)(?:用于|用在|用来|在|使用) | 不(?:适用|适合|用)于?
    | (?<![^\u3002\uff0e.!?\uff01\uff1f\n])[^\u3002\uff0e.!?\uff01\uff1f\n]{1,80}?(?:
        (?:使用|利用|適用|対応)し(?:ない|ません)|使(?:わない|いません)|対象外
        |사용하지\s*(?:마|않|말)|쓰지\s*(?:마|않|말)|사용\s*금지)
    | \b\u043d\u0435\s+(?:использ\w+|применя\w+|подходит|предназначен\w*|для)\b
    """
_STOP = re.compile(
    r"""
    [()\uff08\uff09\u3002\uff01\uff1f]
    | (?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bvs)(?<!\.[A-Za-z])[.!?]+(?=[\s"'\u201d)\]]|$)
    | \n\s*\n | \n\s*[-*\u2022] | \n(?=[ \t]*[A-Z][\w\ -]{0,30}:(?:\s|$))
    | [;,]\s+(?:but\s+)?(?=(?:only\s+)?use\s+(?:(?:this|it)\s+)?(?:skill\s+)?(?:when|if|for|to)\b)
    | [\uff0c\uff1b]\s*(?=[但而]?(?:当|用于|适用于))
    | [;,]?\s+but\s+(?=(?:for|if|when|whenever)\b)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LIST = re.compile(r"(?:[^\n.]{0,40}:)?[ \t]*\n(?:[ \t]*\n)?(?:[ \t]*[-*\u2022].*\n?)+")
_ASIDE = re.compile(r"[\u2014\u2013](?!\s*(?:use|see|prefer|try|for|if|when)\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Document:
    """A skill as the router sees it.

    `name` and `description` as written; `title` the tokens of the name; `claims` the tokens of each part of the
    description that stays, hand-off clauses cut. Word pairs never reach across a cut.
    """

    name: str
    description: str
    title: tuple[str, ...]
    claims: tuple[tuple[str, ...], ...]


@cache
def _cue(*, far: bool) -> re.Pattern[str]:
    return re.compile(_CUES + _FAR_CUES if far else _CUES, re.IGNORECASE | re.VERBOSE)


@cache
def document(name: str, description: str) -> Document:
    """The document of one skill; either text may be empty."""
    kept, _ = clauses(description)
    return Document(name, description, tokens(name), tuple(filter(None, map(tokens, kept))))


def terms(sequence: Sequence[str]) -> Counter[str]:
    """Counts of the tokens and of the pairs of neighbours; a pair is written with a space, which no token has."""
    counts = Counter(sequence)
    counts.update(map(" ".join, pairwise(sequence)))
    return counts


def described(skill: Document) -> Counter[str]:
    """Terms of the description alone, hand-off clauses cut."""
    counts: Counter[str] = Counter()
    for part in skill.claims:
        counts.update(terms(part))
    return counts


def weighted(skill: Document) -> Counter[str]:
    """Terms of the description and of the name, the latter NAME_WEIGHT times."""
    counts = described(skill)
    for term, count in terms(skill.title).items():
        counts[term] += NAME_WEIGHT * count
    return counts


def surfaces(skill: Document) -> dict[str, str]:
    """Each token of the name and the kept description with the first word it was written as."""
    written: dict[str, str] = {}
    for part in (*clauses(skill.description)[0], skill.name):
        for token, word in words(part):
            written.setdefault(token, word)
    return written


def handed_off(skill: Document) -> dict[str, str]:
    """Each token that only a hand-off clause has, with the word it was written as."""
    kept = set(skill.title).union(*skill.claims)
    return {token: word for part in clauses(skill.description)[1] for token, word in words(part) if token not in kept}


def clauses(description: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The parts of `description` that claim work, and those that hand it off.

    A hand-off reaches from its cue to the end of the sentence, of the parentheses or dashes around it, or to what says
    that the skill is for something after all ("but for doors").
    """
    kept, cut, position = [], [], 0
    cues = _cue(far=is_far(description))
    while cue := cues.search(description, position):
        end = _clause_end(description, cue.end())
        if description[: cue.start()].rstrip().endswith(("\u2014", "\u2013")) and (
            aside := _ASIDE.search(description, cue.end(), end)
        ):
            end = aside.start()
        kept.append(description[position : cue.start()])
        cut.append(description[cue.start() : end])
        position = end
    kept.append(description[position:])
    return tuple(filter(str.strip, kept)), tuple(cut)


def _clause_end(text: str, start: int) -> int:
    """Where the sentence ends, or the parentheses around it close, or the list that it opens."""
    if found := _LIST.match(text, start):
        return found.end()
    depth = 0
    for stop in _STOP.finditer(text, start):
        if stop[0] in "(\uff08":
            depth += 1
        elif stop[0] in ")\uff09" and depth:
            depth -= 1
        else:
            return stop.start()
    return len(text)
