"""The body of a skill as CommonMark (with GitHub's tables, footnotes, strikethrough and task lists).

Offsets are code points of the whole file, so that spans need no translation.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from typing import TYPE_CHECKING, Any, NamedTuple

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
_TOLD = frozenset({"CodeBlock", "HtmlBlock"})
"""The marks without detail that a body is made of."""
_MAX_INDENT = 3
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_LAST_LINE = re.compile(r"[^\r\n]*\Z")
_LINE = re.compile(r"[^\r\n]*")
_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_ANCHOR = re.compile(
    r"""<!--.*?(?:-->|\Z)|<[A-Za-z][^<>]*?\s(?:id|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>=]+))""", re.DOTALL
)
_HTML_HEADING = re.compile(r"<h([1-6])\b[^<>]*>(.{0,200}?)</h\1\s*>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
_HEADING_ID = re.compile(r"\s*\{#([^\s{}]+)\}\Z")
_NOT_LINE_BREAK = re.compile(r"[^\r\n]")


class Heading(NamedTuple):
    """An ATX or setext heading; `level` 1-6, `text` without markup, `start` and `end` of the whole heading.

    `nested` tells that it does not begin its line, or is indented by more than three spaces: in a quotation, behind a
    bullet or deep in a list, where it opens no section of the file.
    """

    level: int
    text: str
    start: int
    end: int
    nested: bool


class Link(NamedTuple):
    """A link or image with its destination as the parser decoded it; autolinks to URLs are left out.

    `label` names the definition that the destination stands in; it is empty where the destination stands in the link.
    """

    target: str
    image: bool
    label: str
    start: int
    end: int


class CodeBlock(NamedTuple):
    """A fenced or indented code block.

    `info` is the fence's info string, `fence` the fence itself; both are empty for an indented block. `closed` is false
    where no closing fence follows: the container or the file ends the block.
    """

    info: str
    fence: str
    closed: bool
    start: int
    end: int


class Comment(NamedTuple):
    """An HTML comment; `text` stands between its marks."""

    text: str
    start: int
    end: int


class Body(NamedTuple):
    """What stands below the frontmatter; `html` are the spans of HTML blocks and inline tags."""

    text: str
    start: int
    headings: tuple[Heading, ...]
    links: tuple[Link, ...]
    code: tuple[CodeBlock, ...]
    html: tuple[tuple[int, int], ...]

    @classmethod
    def parse(cls, text: str, start: int = 0) -> Body:
        """Parse the Markdown of `text` from the code point `start` on."""
        source = text[start:]
        reader = _Reader(text, _offsets(source, start))
        reader.read(source)
        return cls(text, start, tuple(reader.headings), tuple(reader.links), tuple(reader.code), tuple(reader.html))

    def comments(self) -> Iterator[Comment]:
        """The HTML comments in order."""
        for start, end in self.html:
            for match in _COMMENT.finditer(self.text, start, end):
                yield Comment(match[1], match.start(), match.end())

    def anchors(self) -> frozenset[str]:
        """The fragments that a link may name: GitHub's heading slugs, and `id` or `name` of HTML elements.

        An explicit id at a heading's end (`{#id}`) counts as well.
        """
        names: set[str] = set()
        seen: dict[str, int] = {}
        for text in self._titles():
            explicit = _HEADING_ID.search(text)
            if explicit:
                names.add(explicit[1])
            slug = plain = github_slug(text)
            while slug in seen:
                seen[plain] += 1
                slug = f"{plain}-{seen[plain]}"
            seen[slug] = 0
        for start, end in self.html:
            for match in _ANCHOR.finditer(self.text, start, end):
                names.add(match[1] or match[2] or match[3] or "")
        return frozenset(names.union(seen)) - {""}

    def _titles(self) -> Iterator[str]:
        for heading in self.headings:
            yield heading.text
        for start, end in self.html:
            for match in _HTML_HEADING.finditer(self.text, start, end):
                yield _TAG.sub("", match[2])

    def uncommented(self) -> str:
        """The file's text, of the same length, with HTML comments blanked out."""
        return _blanked(self.text, [(c.start, c.end) for c in self.comments()])


def _blanked(text: str, cut: list[tuple[int, int]]) -> str:
    """`text` with spaces in place of some stretches; line breaks stay, so that offsets and lines do."""
    parts, at = [], 0
    for start, end in sorted(cut):
        if end > at:
            parts += [text[at : max(start, at)], _NOT_LINE_BREAK.sub(" ", text[max(start, at) : end])]
            at = end
    return "".join((*parts, text[at:]))


def github_slug(text: str) -> str:
    r"""The fragment that GitHub gives a heading: lower case, blanks to hyphens, punctuation and symbols dropped.

    Kept are letters, marks, decimal digits and connectors, as in html-pipeline's table of contents (`\p{Word}`).
    """
    lowered = text.strip().lower()
    if lowered.isascii():
        kept = [c for c in lowered if c.isalnum() or c in "-_ "]
    else:
        kept = [c for c in lowered if c in "- " or unicodedata.category(c) in _SLUG_CATEGORIES]
    return "".join(kept).replace(" ", "-")


_SLUG_CATEGORIES = frozenset({"Ll", "Lm", "Lo", "Lt", "Lu", "Mc", "Me", "Mn", "Nd", "Nl", "Pc"})


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


class _Reader:
    """Walks the parser's events once and gathers what checks ask for."""

    def __init__(self, text: str, offset: Callable[[int], int]) -> None:
        self.text = text
        self.offset = offset
        self.headings: list[Heading] = []
        self.links: list[Link] = []
        self.code: list[CodeBlock] = []
        self.html: list[tuple[int, int]] = []
        self.title: list[str] | None = None
        self.info: str | None = None

    def read(self, source: str) -> None:
        """Each event is a name, or one name with its value, and a range of bytes."""
        last: Any = {"end": 0}
        events: Any = pyromark.events_with_range(source, options=_OPTIONS)
        for event, span in events:
            if type(event) is str:  # a line break or a rule
                if self.title is not None:
                    self.title.append(" ")
                continue
            for kind, value in event.items():
                if kind == "Text" or kind == "Code":  # noqa: PLR1714 - the hot path: no set is built
                    last = span
                    if self.title is not None:
                        self.title.append(value)
                elif kind == "InlineHtml":
                    self.html.append(self._place(span))
                elif type(value) is dict or value in _TOLD:
                    self._mark(kind, value, span, last)

    def _mark(self, kind: str, value: Any, span: Any, last: Any) -> None:
        """Note what starts or ends; most marks (paragraphs, items, emphasis ...) never come here."""
        if kind == "Start":
            self._start(value, span)
        elif value == "CodeBlock":
            self.code.append(self._code_block(*self._place(span), self.offset(last["end"])))
        elif "Heading" in value:
            self._end_heading(value["Heading"], span)

    def _begins_line(self, start: int) -> bool:
        before = self.text[max(start - _MAX_INDENT - 1, 0) : start]
        indent = _LAST_LINE.search(before)
        return (indent is not None and len(indent[0]) <= _MAX_INDENT) and not indent[0].strip()

    def _place(self, span: Any) -> tuple[int, int]:
        return self.offset(span["start"]), self.offset(span["end"])

    def _start(self, value: Any, span: Any) -> None:
        if value == "HtmlBlock":
            self.html.append(self._place(span))
            return
        for name, detail in value.items():
            if name == "Heading":
                self.title = []
            elif name == "CodeBlock":
                self.info = None if detail == "Indented" else detail["Fenced"]
            elif name in {"Link", "Image"} and detail["link_type"] not in {"Autolink", "Email"}:
                self.links.append(Link(detail["dest_url"], name == "Image", detail["id"], *self._place(span)))

    def _end_heading(self, level: str, span: Any) -> None:
        """`level` is H1 to H6."""
        title = "".join(self.title or ()).strip()
        start, end = self._place(span)
        self.headings.append(Heading(int(level[1]), title, start, end, nested=not self._begins_line(start)))
        self.title = None

    def _code_block(self, start: int, end: int, content_end: int) -> CodeBlock:
        """A fence is closed where something stands between the block's last line of content and its end."""
        if self.info is None:
            return CodeBlock("", "", closed=True, start=start, end=end)
        opening = _LINE.match(self.text, start, end)
        line = opening[0] if opening else ""
        fence = line[: len(line) - len(line.lstrip(line[:1]))]
        rest = self.text[max(start + len(line), content_end) : end]
        return CodeBlock(self.info, fence, closed=bool(rest.strip("> \t\r\n")), start=start, end=end)
