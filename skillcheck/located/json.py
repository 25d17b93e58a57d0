"""JSON with positions. The C parser does the work; places are only looked for when somebody asks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from skillcheck.located import MAX_DEPTH, Located, ParseError, Path
from skillcheck.span import Lines, Span

_TOKEN = re.compile(r'[{}\[\],:]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s,:\]}]+', re.DOTALL)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_TRAILING_COMMA = re.compile(r",[ \t\r\n]*[\]}]")


def parse(lines: Lines) -> Located:
    """Read a JSON text (RFC 8259). Raises ParseError for anything else.

    That includes NaN and infinities, lone surrogates, and more than MAX_DEPTH levels. Where a key stands twice the
    last value counts, and `duplicates` says so.
    """
    text = lines.text
    repeated = False

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal repeated
        found = dict(items)
        repeated = repeated or len(found) < len(items)
        return found

    try:
        value = json.loads(text, object_pairs_hook=pairs, parse_constant=_refuse_constant)
        if _SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise _syntax_error(text, error) from None
    except RecursionError:
        raise ParseError(0, f"values are nested more than {MAX_DEPTH} levels deep") from None
    except _ConstantError as error:
        constant = next(m for m in _TOKEN.finditer(text) if m[0].startswith(error.name))
        raise ParseError(constant.start(), f"{error.name} is not JSON") from None
    except UnicodeEncodeError:
        found = _SURROGATE.search(text)
        raise ParseError(found.start() if found else 0, "half of a surrogate pair is no character") from None
    except ValueError:
        raise ParseError(0, "a number has too many digits") from None
    if _too_deep(value):
        raise ParseError(0, f"values are nested more than {MAX_DEPTH} levels deep")
    places = _Places(lines)
    duplicates = tuple(places.found.duplicates) if repeated else ()
    return Located(value, _Lazy(places, "spans"), _Lazy(places, "keys"), duplicates)


def _too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        inner = (v.values() if isinstance(v, dict) else v for v in level if isinstance(v, dict | list))
        level = [w for values in inner for w in values]
        if not level:
            return False
    return True


class _ConstantError(Exception):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def _refuse_constant(name: str) -> Any:
    raise _ConstantError(name)


def _syntax_error(text: str, error: json.JSONDecodeError) -> ParseError:
    """The same message and place in every Python: newer ones point at a trailing comma, older ones behind it."""
    before = text.rfind(",", 0, error.pos + 1)
    comma = _TRAILING_COMMA.match(text, before) if before >= 0 else None
    if comma and comma.end() > error.pos:
        return ParseError(before, "a comma stands before the closing bracket")
    message = error.msg[0].lower() + error.msg[1:]
    return ParseError(error.pos, message.removesuffix(" starting at").removesuffix(" at"))


@dataclass(slots=True)
class _Found:
    spans: dict[Path, Span] = field(default_factory=dict)
    keys: dict[Path, Span] = field(default_factory=dict)
    duplicates: list[tuple[Path, Span, Span]] = field(default_factory=list)


class _Places:
    """Where everything stands in a valid JSON text, found at the first question."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines

    @cached_property
    def found(self) -> _Found:
        """One pass over the tokens; the text is known to be valid, so order and nesting need no checks."""
        found, stack = _Found(), [_Open((), 0)]
        for match in _TOKEN.finditer(self.lines.text):
            mark, top = match[0], stack[-1]
            if mark in "{[":
                stack.append(_Open(top.child(), match.start(), in_list=mark == "["))
            elif mark in "}]":
                done = stack.pop()
                found.spans[done.path] = self.lines.span(done.start, match.end())
            elif mark == ",":
                top.advance()
            elif mark == ":":
                top.has_key = True
            elif top.wants_key():
                self._key(found, top, json.loads(mark), self.lines.span(*match.span()))
            else:
                found.spans[top.child()] = self.lines.span(*match.span())
        return found

    @staticmethod
    def _key(found: _Found, top: _Open, key: str, span: Span) -> None:
        top.key = key
        path = top.child()
        if path in found.keys:
            found.duplicates.append((path, found.keys[path], span))
        found.keys[path] = span


@dataclass(slots=True)
class _Open:
    """An open collection, or the document itself, whose only child has the document's path."""

    path: Path
    start: int
    in_list: bool | None = None
    key: str | int = 0
    has_key: bool = False

    def child(self) -> Path:
        return self.path if self.in_list is None else (*self.path, self.key)

    def wants_key(self) -> bool:
        return self.in_list is False and not self.has_key

    def advance(self) -> None:
        self.has_key = False
        if self.in_list:
            self.key = int(self.key) + 1


class _Lazy(Mapping[Path, Span]):
    """One of the tables of `_Found`, made when it is first looked into."""

    def __init__(self, places: _Places, table: str) -> None:
        self.places, self.table = places, table

    def _mapping(self) -> dict[Path, Span]:
        return getattr(self.places.found, self.table)  # type: ignore[no-any-return]

    def __getitem__(self, path: Path) -> Span:
        return self._mapping()[path]

    def __iter__(self) -> Iterator[Path]:
        return iter(self._mapping())

    def __len__(self) -> int:
        return len(self._mapping())
