"""The body of a skill as CommonMark (with GitHub's tables, footnotes, strikethrough and task lists).

Offsets are code points of the whole file, so that spans need no translation.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pyromark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_FOOTNOTES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_TASKLISTS
    | pyromark.Options.ENABLE_GFM
)
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_FENCE = re.compile(r"(`{3,}|~{3,})")
_CLOSING_FENCE = re.compile(r"[>\s]*(`{3,}|~{3,})[ \t]*\Z")
_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_ANCHOR = re.compile(r"""<[A-Za-z][^<>]*?\s(?:id|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>=]+))""")
_NOT_LINE_BREAK = re.compile(r"[^\r\n]")


@dataclass(frozen=True, slots=True)
class Heading:
    """An ATX or setext heading; `level` 1–6, `text` without markup, `start` and `end` of the whole heading."""

    level: int
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Link:
    """A link or image with its destination as the parser decoded it; autolinks to URLs are left out."""

    target: str
    image: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A fenced or indented code block; `info` is the fence's info string, `fence_end` the end of its opening fence."""

    info: str
    fenced: bool
    closed: bool
    start: int
    fence_end: int
    end: int


@dataclass(frozen=True, slots=True)
class Comment:
    """An HTML comment; `text` stands between its marks."""

    text: str
    start: int
    end: int


@dataclass(slots=True)
class _Gathered:
    headings: list[Heading] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    code: list[CodeBlock] = field(default_factory=list)
    html: list[tuple[int, int]] = field(default_factory=list)
    content: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Body:
    """What stands below the frontmatter. `content` holds the offsets where something other than a heading begins."""

    text: str = field(repr=False)
    start: int
    headings: tuple[Heading, ...]
    links: tuple[Link, ...]
    code: tuple[CodeBlock, ...]
    html: tuple[tuple[int, int], ...]
    content: tuple[int, ...]

    @classmethod
    def parse(cls, text: str, start: int = 0) -> Body:
        """Parse the Markdown of `text` from the code point `start` on."""
        source = text[start:]
        found = _gather(source, _offsets(source, start))
        return cls(
            text,
            start,
            tuple(found.headings),
            tuple(found.links),
            tuple(found.code),
            tuple(found.html),
            tuple(found.content),
        )

    def comments(self) -> Iterator[Comment]:
        """The HTML comments in order."""
        for start, end in self.html:
            for match in _COMMENT.finditer(self.text, start, end):
                yield Comment(match[1], match.start(), match.end())

    def anchors(self) -> frozenset[str]:
        """The fragments that a link may name: GitHub's heading slugs, and `id` or `name` of HTML elements."""
        slugs: dict[str, int] = {}
        names = set()
        for heading in self.headings:
            slug = github_slug(heading.text)
            again = slugs.get(slug, 0)
            slugs[slug] = again + 1
            names.add(f"{slug}-{again}" if again else slug)
        for start, end in self.html:
            for match in _ANCHOR.finditer(self.text, start, end):
                names.add(match[1] or match[2] or match[3] or "")
        return frozenset(names)

    def prose(self) -> str:
        """The file's text, of the same length, with frontmatter, code blocks and HTML comments blanked out."""
        cut = [(0, self.start), *((c.start, c.end) for c in self.code), *((c.start, c.end) for c in self.comments())]
        parts, at = [], 0
        for start, end in sorted(cut):
            if end > at:
                parts += [self.text[at : max(start, at)], _NOT_LINE_BREAK.sub(" ", self.text[max(start, at) : end])]
                at = end
        return "".join((*parts, self.text[at:]))


def github_slug(text: str) -> str:
    """The fragment that GitHub gives a heading: lower case, blanks to hyphens, punctuation and symbols dropped."""
    kept = (c for c in text.strip().lower() if c in "-_ " or c.isalnum() or unicodedata.category(c)[0] in "LMN")
    return "".join(kept).replace(" ", "-")


def _offsets(source: str, start: int) -> Callable[[int], int]:
    """A function from the parser's UTF-8 byte offsets to code-point offsets, moved by `start`."""
    if source.isascii():
        return lambda byte: byte + start
    ends, extra = [0], [0]
    for match in _NOT_ASCII.finditer(source):
        more = len(match[0].encode()) - 1
        ends.append(match.end() + extra[-1] + more)
        extra.append(extra[-1] + more)
    return lambda byte: byte - extra[bisect_right(ends, byte) - 1] + start


def _gather(source: str, offset: Callable[[int], int]) -> _Gathered:
    """Walk the parser's events once; each is a name, or one name with its value, and a byte range."""
    found = _Gathered()
    heading: list[str] | None = None
    shift = offset(0)
    for event, span in pyromark.events_with_range(source, options=_OPTIONS):
        if type(event) is str:
            continue
        for kind, value in event.items():
            if kind == "Text" or kind == "Code":  # noqa: PLR1714 - the hot path: no set is built
                if heading is not None:
                    heading.append(value)
            elif kind == "Start":
                heading = [] if _begin(found, value, span, source, offset, shift) else heading
            elif kind == "End":
                if heading is not None and type(value) is dict and "Heading" in value:
                    start, end = offset(span["start"]), offset(span["end"])
                    found.headings.append(Heading(int(value["Heading"][1]), "".join(heading).strip(), start, end))
                    heading = None
            elif kind == "InlineHtml":
                found.html.append((offset(span["start"]), offset(span["end"])))
    return found


_CONTENT = frozenset({"Paragraph", "Item", "TableCell", "Image"})


def _begin(found: _Gathered, value: Any, span: Any, source: str, offset: Callable[[int], int], shift: int) -> bool:
    """Note what begins here; True for a heading, whose text is still to come."""
    if type(value) is str:
        if value == "HtmlBlock":
            found.html.append((offset(span["start"]), offset(span["end"])))
        elif value in _CONTENT:
            found.content.append(offset(span["start"]))
        return False
    for name, detail in value.items():
        if name == "Heading":
            return True
        start, end = offset(span["start"]), offset(span["end"])
        if name in {"Link", "Image"}:
            if detail["link_type"] not in {"Autolink", "Email"}:
                found.links.append(Link(detail["dest_url"], name == "Image", start, end))
        elif name == "CodeBlock":
            found.code.append(_code_block(source, detail, start - shift, end - shift, shift))
            found.content.append(start)
        elif name != "Item":
            found.content.append(start)
    return False


def _code_block(source: str, detail: Any, start: int, end: int, shift: int) -> CodeBlock:
    opening = _FENCE.match(source, start)
    if detail == "Indented" or opening is None:
        return CodeBlock("", fenced=False, closed=True, start=start + shift, fence_end=start + shift, end=end + shift)
    last = source[start:end].rstrip().rpartition("\n")
    closing = _CLOSING_FENCE.match(last[2]) if last[1] else None
    closed = closing is not None and closing[1].startswith(opening[1])
    info = detail["Fenced"]
    return CodeBlock(
        info, fenced=True, closed=closed, start=start + shift, fence_end=opening.end() + shift, end=end + shift
    )
