"""Comments in a SKILL.md that take findings back, each with a reason.

In the body `<!-- skillcheck-disable-next-line RULE[, RULE] -- reason -->`, in the frontmatter
`# skillcheck-disable-line RULE -- reason`; `disable-line` is the comment's own line, `disable-next-line` the next one
that isn't blank, `disable-file` the whole file. A dash of any length may stand before the reason.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from skillcheck.suggest import closest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.skill import Skill
    from skillcheck.span import Span

VERBS = ("skillcheck-disable-file", "skillcheck-disable-line", "skillcheck-disable-next-line")
_MEANT = re.compile(r"\s*skillcheck\s?[-:_]", re.IGNORECASE)
_TEXT = re.compile(
    r"\s*skillcheck-disable-(?P<reach>file|line|next-line)\s+(?P<rules>[\w-]+(?:\s*,\s*[\w-]+)*)"
    r"(?:\s+(?:--+|–|—)\s*(?P<reason>.*?))?\s*\Z",  # noqa: RUF001 - people write dashes
    re.DOTALL,
)
_NAME = re.compile(r"[\w-]+")
_REST = re.compile(r"[ \t]*(?:\r\n|\n|\r|\Z)")
_YAML_COMMENT = re.compile(r"(?:^|[ \t])#(?P<text>[ \t]*skillcheck[^\r\n]*)", re.MULTILINE | re.IGNORECASE)


class Suppression(NamedTuple):
    """One comment; `rules` are as written, `line` is the line it reaches, 0 for all of the file.

    `spots` tells where each rule's name stands, `cut` what goes when the comment is taken out. A comment that can't be
    understood has no rules, and `wrong` says why.
    """

    rules: tuple[str, ...]
    line: int
    reason: str
    span: Span
    spots: tuple[Span, ...]
    cut: Span
    wrong: str = ""

    def covers(self, rule: str, line: int) -> bool:
        """Whether a finding of a rule at a line is taken back."""
        return rule in self.rules and self.line in {0, line}


def suppressions(skill: Skill) -> Iterator[Suppression]:
    """The comments of a skill that suppress, or were meant to, in order."""
    for text, at, start, end in _comments(skill):
        match = _TEXT.match(text)
        span, cut = skill.span(start, end), skill.span(*_cut(skill.text, start, end))
        if match is None:
            if _MEANT.match(text):
                yield Suppression((), 0, "", span, (), cut, _wrong(text))
            continue
        names = [(at + n.start(), at + n.end()) for n in _NAME.finditer(text, *match.span("rules"))]
        line = {"file": 0, "line": span.line, "next-line": _next_line(skill, span.end_line)}[match["reach"]]
        rules = tuple(skill.text[a:b] for a, b in names)
        yield Suppression(rules, line, match["reason"] or "", span, tuple(skill.span(*n) for n in names), cut)


def _comments(skill: Skill) -> Iterator[tuple[str, int, int, int]]:
    """The text of each comment, where it begins, and where the comment itself begins and ends."""
    for match in _YAML_COMMENT.finditer(skill.text, 0, skill.body.start):
        if not _is_value(skill, match.start("text")):
            yield match["text"], match.start("text"), match.start("text") - 1, match.end()
    for comment in skill.body.comments():
        yield comment.text, comment.start + len("<!--"), comment.start, comment.end


def _is_value(skill: Skill, at: int) -> bool:
    """Whether an offset in the frontmatter lies inside a quoted or block value, where # begins no comment."""
    if skill.frontmatter is None:
        return False
    place, spans = skill.lines.position(at), skill.frontmatter.located.spans
    collections = {path[:-1] for path in spans if path}
    scalars = (span for path, span in spans.items() if path not in collections)
    return any((span.line, span.column) <= place < (span.end_line, span.end_column) for span in scalars)


def _next_line(skill: Skill, line: int) -> int:
    last = len(skill.lines.starts)
    return next((n for n in range(line + 1, last + 1) if skill.lines.line(n).strip()), line + 1)


def _cut(text: str, start: int, end: int) -> tuple[int, int]:
    """The comment with its whole line where nothing else stands there, otherwise with the blanks before it."""
    first = len(text[:start].rstrip(" \t"))
    alone = first == 0 or text[first - 1] in "\r\n"
    rest = _REST.match(text, end)
    if alone and rest:
        return first, rest.end()
    return (first if rest else start), end


def _wrong(text: str) -> str:
    word = text.split(None, 1)[0].rstrip(",")
    if word not in VERBS:
        near = closest(word, VERBS)
        return f"{word!r} suppresses nothing; " + (f"did you mean {near!r}" if near else "write " + " or ".join(VERBS))
    if len(text.split()) == 1:
        return "the comment names no rule"
    return "the comment can't be understood; write rules with commas between them, then -- and the reason"
