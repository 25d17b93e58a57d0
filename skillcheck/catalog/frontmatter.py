"""The YAML between the `---` lines of a SKILL.md, and everything that can be wrong with it.

The fence is a whole line of three dashes, blanks after them allowed, from the first character of the file
(agentskills.io/specification; case: most hosts look at byte 0).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from skillcheck.catalog.fault import Fault
from skillcheck.diagnostic import Edit, Fix, Problem, clipped
from skillcheck.located import Located, ParseError, text_of
from skillcheck.located import yaml as located_yaml
from skillcheck.span import BYTE_ORDER_MARK, START, Lines, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_FENCE = re.compile(r"---[ \t]*\Z")
_NEARLY_FENCE = re.compile(r"(?:-{2}|-{4,}|---\S.*|[ \t]+---[ \t]*|—.*)\Z")
_BEFORE = re.compile(r"(?:\s|<!--.*?-->)*", re.DOTALL)
_GLUED = re.compile(
    r"^(?P<key>name|description|license|compatibility|metadata|allowed-tools):(?=[^\s:])(?!//)", re.MULTILINE
)
_KEY = re.compile(r"[A-Za-z_][\w-]*:")
_TAB_AFTER_COLON = re.compile(r":( *\t[ \t]*)(?=\S)")
_PLAIN = re.compile(r"(?!(?:false|n|no|null|off|on|true|y|yes)\Z)[a-z][a-z0-9-]*")
_PLAIN_ENTRY = re.compile(r"(?P<key>[ \t]*(?:- )?[\w-]+:[ \t]+)(?P<value>[^\s\"'|>&*!\[{%@`#].*?)[ \t]*\Z")
_VALUE = re.compile(r"[ \t]*(?:- )?[\w-]+:[ \t]+(?P<first>\S)")
_SHOWN = 60
"""How much of a line messages quote, in code points."""
_QUOTE_IT = "put the value in quotes"
_INNER_COLON = re.compile(r":(?=\s|\Z)")


class Frontmatter(NamedTuple):
    """A mapping with the place of each key and value; `span` covers the lines between the fences."""

    data: Mapping[str, Any]
    located: Located
    span: Span
    lines: Lines

    def value_span(self, *path: Any) -> Span:
        """Where a value stands; line 1 when it is absent."""
        return self.located.span(*path)

    def key_span(self, *path: Any) -> Span:
        """Where a key stands; line 1 when it is absent."""
        return self.located.key_span(*path)

    def is_plain(self, *path: Any) -> bool:
        """Whether a value is a scalar written without quotes, block indicator, tag and anchor."""
        return path in self.located.plain

    def source(self, *path: Any) -> str:
        """A value as it is written, quotes included."""
        return text_of(self.lines, self.value_span(*path))

    def key_source(self, *path: Any) -> str:
        """A key as it is written, quotes included."""
        return text_of(self.lines, self.key_span(*path))

    def kind(self, *path: Any) -> str:
        """The type of a value in words, "empty" where it is absent; numbers of YAML 1.2 are numbers here."""
        value: Any = self.data
        for step in path:
            value = value[step] if isinstance(value, list) else value.get(step) if isinstance(value, dict) else None
        return located_yaml.kind(value, plain=self.is_plain(*path))


class Split(NamedTuple):
    """A file taken apart: `frontmatter` is None where it can't be read; the body begins at offset `body`."""

    frontmatter: Frontmatter | None
    body: int
    faults: tuple[Fault, ...] = ()


def split(lines: Lines, *, bom: bool = False) -> Split:
    """Take a SKILL.md apart; `bom` tells that a byte-order mark stood before the text."""
    faults = [_byte_order_mark()] if bom else []
    opening = _opening(lines)
    if opening is None:
        return Split(None, 0, (*faults, _missing(lines)))
    if opening > 1:
        faults.append(_content_before(lines, opening))
    closing = _closing(lines, opening)
    if closing is None:
        near = _nearly_closing(lines, opening)
        return Split(None, _supposed_body(lines, opening, near), (*faults, _unclosed(lines, opening, near)))
    start, end = lines.offset(opening + 1, 1), lines.offset(closing, 1)
    body = lines.starts[closing] if closing < len(lines.starts) else len(lines.text)
    frontmatter, found = _read(lines, start, end)
    return Split(frontmatter, body, (*faults, *found))


def _is_fence(line: str) -> bool:
    return bool(_FENCE.match(line))


def _opening(lines: Lines) -> int | None:
    """The line of the first fence, if nothing but blank lines and comments stand before it and a key follows."""
    if _is_fence(lines.line(1)):
        return 1
    match = _BEFORE.match(lines.text)
    line, column = lines.position(match.end() if match else 0)
    if column != 1 or line >= len(lines.starts) or not _is_fence(lines.line(line)):
        return None
    return line if _KEY.match(lines.line(line + 1)) else None


def _closing(lines: Lines, opening: int) -> int | None:
    starts = enumerate(lines.starts[opening:], opening + 1)
    return next((n for n, at in starts if lines.text.startswith("---", at) and _is_fence(lines.line(n))), None)


def _read(lines: Lines, start: int, end: int) -> tuple[Frontmatter | None, list[Fault]]:
    try:
        located = located_yaml.parse(lines, start, end)
    except ParseError as error:
        line, _ = lines.position(min(error.offset, end))
        return None, [_no_blank(lines, start, lines.offset(line, 1) + len(lines.line(line))) or _invalid(lines, error)]
    if not isinstance(located.value, dict):
        glued = _no_blank(lines, start, end)
        if glued:
            return None, [glued]
        message = f"frontmatter is {located_yaml.kind(located.value)}, not a mapping"
        hint = "write `name:` and `description:` between the two --- lines"
        return None, [Fault("invalid-yaml", Problem(lines.span(start, start), message, hint))]
    faults = [*_tabs(lines, located), *(_duplicate(lines, *duplicate) for duplicate in located.duplicates)]
    return Frontmatter(located.value, located, lines.span(start, end), lines), faults


def _byte_order_mark() -> Fault:
    fix = Fix("remove the byte-order mark", (Edit(BYTE_ORDER_MARK, ""),))
    hint = "save the file as UTF-8 without a signature; some hosts don't see the frontmatter behind it"
    return Fault("byte-order-mark", Problem(START, "the file begins with a byte-order mark", hint, fix))


def _missing(lines: Lines) -> Fault:
    hint = "begin the file with a line ---, then `name:` and `description:`, then a line ---"
    first = lines.line(1)
    near = f", {clipped(first, _SHOWN)!r} is not it" if _NEARLY_FENCE.match(first) else ""
    return Fault("missing-frontmatter", Problem(START, f"no frontmatter: the first line must be ---{near}", hint))


def _nearly_closing(lines: Lines, opening: int) -> int | None:
    numbers = range(opening + 1, len(lines.starts) + 1)
    return next((n for n in numbers if _NEARLY_FENCE.match(lines.line(n))), None)


def _supposed_body(lines: Lines, opening: int, near: int | None) -> int:
    """Where the body of a file without closing fence seems to begin: behind the near miss, or else a blank line."""
    numbers = range(opening + 1, len(lines.starts) + 1)
    last = near or next((n for n in numbers if not lines.line(n).strip()), None)
    return lines.starts[last] if last and last < len(lines.starts) else 0


def _unclosed(lines: Lines, opening: int, near: int | None) -> Fault:
    hint = (
        f"line {near} is {clipped(lines.line(near), _SHOWN)!r}; write ---"
        if near
        else "end the frontmatter with a line ---"
    )
    span = lines.span(lines.offset(opening, 1), lines.offset(opening, 4))
    message = "frontmatter is not closed: no later line is only ---"
    return Fault("missing-frontmatter", Problem(span, message, hint))


def _content_before(lines: Lines, opening: int) -> Fault:
    until = lines.offset(opening, 1)
    before = lines.text[:until]
    span = lines.span(0, until)
    hint = "hosts look for --- at the very start of the file"
    if not before.strip():
        blank = Fix("remove the blank lines", (Edit(span, ""),))
        return Fault(
            "content-before-frontmatter", Problem(span, "blank lines stand before the frontmatter", hint, blank)
        )
    closing = _closing(lines, opening)
    fix: Fix | None = None
    if closing and closing < len(lines.starts):
        after = lines.offset(closing + 1, 1)
        kept = before.strip("\r\n") + lines.text[lines.offset(closing, 1) + len(lines.line(closing)) : after]
        fix = Fix("move the comment below the frontmatter", (Edit(span, ""), Edit(lines.span(after, after), kept)))
    return Fault("content-before-frontmatter", Problem(span, "a comment stands before the frontmatter", hint, fix))


def _duplicate(lines: Lines, path: tuple[Any, ...], first: Span, second: Span) -> Fault:
    key = path[-1] if isinstance(path[-1], str) else text_of(lines, second)
    message = f"key {clipped(key)!r} stands twice: line {first.line} has it already"
    return Fault(
        "duplicate-key", Problem(second, message, "keep one of the two; readers differ in which one they take")
    )


def _tabs(lines: Lines, located: Located) -> Iterator[Fault]:
    for key in located.keys.values():
        match = _TAB_AFTER_COLON.match(lines.text, lines.offset(key.end_line, key.end_column))
        if match is None:
            continue
        span = lines.span(*match.span(1))
        fix = Fix("replace the tab by a space", (Edit(span, " "),))
        hint = "some loaders refuse it; use a space"
        yield Fault("tab-after-colon", Problem(span, "a tab stands after the colon", hint, fix))


def _no_blank(lines: Lines, start: int, end: int) -> Fault | None:
    """A field whose value follows its colon at once, so that YAML sees no key: the reader complains lines later."""
    match = _GLUED.search(lines.text, start, end)
    if match is None:
        return None
    span = lines.span(match.end() - 1, match.end())
    fix = Fix("put a blank after the colon", (Edit(lines.span(match.end(), match.end()), " "),))
    message = f"no blank after the colon of {match['key']!r}: YAML sees no key there"
    return Fault("invalid-yaml", Problem(span, message, "put a blank after the colon", fix))


def _invalid(lines: Lines, error: ParseError) -> Fault:
    """Name what people often get wrong in plain words, and leave the rest to libyaml."""
    line, column = lines.position(min(error.offset, len(lines.text)))
    text = lines.line(line)
    span = Span(line, column, line, column + 1)
    if error.message == "mapping values are not allowed in this context":
        return _unquoted_colon(lines, line, span)
    indent = text[: len(text) - len(text.lstrip())]
    if "\t" in indent and ("cannot start any token" in error.message or "tab character" in error.message):
        return Fault("invalid-yaml", Problem(span, "a tab is used for indentation", "YAML indents with spaces"))
    if "could not find expected ':'" in error.message:
        hint = "indent it if it goes on with the value above"
        return Fault("invalid-yaml", Problem(span, f"{clipped(text, _SHOWN)!r} has no colon", hint))
    message, hint = _in_plain_words(lines, line, column, error.message) or (
        f"frontmatter is not YAML: {error.message}",
        "",
    )
    return Fault("invalid-yaml", Problem(span, message, hint))


def _in_plain_words(lines: Lines, line: int, column: int, message: str) -> tuple[str, str] | None:
    """What is wrong with a value that YAML can't read, and what would be right, judged by its first character."""
    entry = _VALUE.match(lines.line(line))
    if entry and entry.end() <= column:
        first, distance = entry["first"], column - entry.end()
        if distance == 0 and first in "'\"[{":
            return f"{first} is never closed", "close it, or put the whole value in quotes"
        if first in "'\"" and "expected key" in message:
            hint = f"inside {first}…{first} a quote is written {chr(39) * 2 if first == chr(39) else chr(92) + first}"
            return f"text follows the closing {first}", hint
        if first in "[{" and "did not find expected" in message:
            return f"text follows the {'list' if first == '[' else 'mapping'} that {first!r} begins", _QUOTE_IT
        if first in "@`%|>?-]},*" or (first in "&!" and distance <= 1):
            return f"a value can't begin with {first!r} unless it is quoted", _QUOTE_IT
    if line > 1 and lines.line(line)[:1].isspace() and " #" in lines.line(line - 1):
        return f"the value ends at '#' on line {line - 1}, which begins a comment", _QUOTE_IT
    return None


def _unquoted_colon(lines: Lines, line: int, span: Span) -> Fault:
    message = "': ' in an unquoted value begins a nested mapping; the value must be quoted"
    hint = 'put it between double quotes: key: "text: more text"'
    entry = _PLAIN_ENTRY.match(lines.line(line))
    if entry is None or not _INNER_COLON.search(entry["value"]):
        return Fault("unquoted-colon", Problem(span, message, hint))
    where = Span(line, entry.start("value") + 1, line, entry.end("value") + 1)
    fix = (
        Fix("quote the value", (Edit(where, in_quotes(entry["value"])),), safe=" #" not in entry["value"])
        if _stands_alone(lines, line)
        else None
    )
    return Fault("unquoted-colon", Problem(span, message, hint, fix))


def _stands_alone(lines: Lines, line: int) -> bool:
    """Whether the value ends on its line: the next line is no continuation."""
    return line >= len(lines.starts) or not lines.line(line + 1)[:1].isspace()


def in_quotes(value: str) -> str:
    """A string as a YAML scalar in double quotes."""
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def scalar(value: str) -> str:
    """A name as a YAML scalar, in quotes only where a reader would take it for something else."""
    return value if _PLAIN.fullmatch(value) else in_quotes(value)
