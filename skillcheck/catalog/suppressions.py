"""Comments in a SKILL.md that take findings back, each with a reason.

In the body `<!-- skillcheck-disable-next-line RULE[, RULE] -- reason -->`, in the frontmatter
`# skillcheck-disable-line RULE -- reason`; `disable-line` is the comment's own line, `disable-file` the whole file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.skill import Skill
    from skillcheck.span import Span

MARK = "skillcheck-disable"
_TEXT = re.compile(
    r"\s*skillcheck-disable-(?P<reach>file|line|next-line)\s+(?P<rules>[\w-]+(?:\s*,\s*[\w-]+)*)(?:\s+--\s*(?P<reason>.*?))?\s*\Z",
    re.DOTALL,
)
_YAML_COMMENT = re.compile(r"(?:^|[ \t])#(?P<text>[ \t]*skillcheck-disable.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Suppression:
    """One comment; `rules` are as written, `line` is the line it reaches, 0 for all of the file."""

    rules: tuple[str, ...]
    line: int
    reason: str
    span: Span

    def covers(self, rule: str, line: int) -> bool:
        """Whether a finding of a rule at a line is taken back."""
        return rule in self.rules and self.line in {0, line}


def suppressions(skill: Skill) -> Iterator[Suppression]:
    """The suppressions of a skill in order; comments that can't be understood are passed over."""
    if MARK not in skill.text:
        return
    for text, start, end in _comments(skill):
        match = _TEXT.match(text)
        if match:
            span = skill.span(start, end)
            line = {"file": 0, "line": span.line, "next-line": span.end_line + 1}[match["reach"]]
            yield Suppression(tuple(re.split(r"\s*,\s*", match["rules"])), line, match["reason"] or "", span)


def _comments(skill: Skill) -> Iterator[tuple[str, int, int]]:
    for match in _YAML_COMMENT.finditer(skill.text, 0, skill.body.start):
        yield match["text"].rstrip("\r"), match.start("text") - 1, match.end()
    for comment in skill.body.comments():
        yield comment.text, comment.start, comment.end
