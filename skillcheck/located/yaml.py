"""YAML with positions, in one pass over libyaml's events: no recursion, no expansion of aliases."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import yaml

from skillcheck.located import MAX_DEPTH, Located, ParseError, Path

if TYPE_CHECKING:
    from skillcheck.span import Lines, Span

MAX_ALIASES = 64
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_RESOLVER = yaml.resolver.Resolver()
_CONSTRUCTOR = yaml.constructor.SafeConstructor()
_TOO_DEEP = f"values are nested more than {MAX_DEPTH} levels deep"
_BEGUN_BEFORE = ("end of stream", "expected ',' or", "could not find expected ':'")
"""Problems that are noticed late; what is at fault begins at the mark of their context."""
_STANDARD = "tag:yaml.org,2002:"
_MERGE = _STANDARD + "merge"
_SCALARS = frozenset({"binary", "bool", "float", "int", "timestamp"})
_KINDS = {
    "NoneType": "empty", "bool": "a boolean", "bytes": "binary data", "date": "a date", "datetime": "a date",
    "dict": "a mapping", "float": "a float", "int": "an integer", "list": "a list", "str": "a string",
}  # fmt: skip
_NEWER_NUMBER = re.compile(r"[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?|0o[0-7]+")


def kind(value: Any, *, plain: bool = False) -> str:
    """What people call the type of a value; a `plain` string may be a number in YAML 1.2 alone, as 1e3 and 08 are."""
    if plain and isinstance(value, str) and _NEWER_NUMBER.fullmatch(value):
        return "a float" if "." in value or "e" in value.lower() else "an integer"
    return _KINDS[type(value).__name__]


def parse(lines: Lines, start: int, end: int) -> Located:
    """Read the YAML 1.1 document between two offsets of a text, as PyYAML's safe loader reads it.

    Aliases share their value. Raises ParseError for what isn't YAML, for more than one document, an unknown tag,
    a key that is a collection, more than MAX_ALIASES aliases, or more than MAX_DEPTH levels.
    """
    builder = _Builder(lines, start)
    try:
        for event in yaml.parse(lines.text[start:end], Loader=_LOADER):
            builder.take(event)
    except yaml.reader.ReaderError as error:
        raise _character_error(lines.text, start, end) from error
    except yaml.MarkedYAMLError as error:
        is_late = any(sign in str(error.problem) for sign in _BEGUN_BEFORE)
        mark = (error.context_mark if is_late else error.problem_mark) or error.problem_mark or error.context_mark
        said = f"{error.context}: {error.problem}" if error.context else str(error.problem)
        if "nesting depth" in said:
            said = _TOO_DEEP
        raise ParseError(start + (mark.index if mark else 0), said) from None
    return Located(builder.root, builder.spans, builder.keys, tuple(builder.duplicates), frozenset(builder.plain))


def _character_error(text: str, start: int, end: int) -> ParseError:
    """The first control character that YAML forbids: the C and the Python reader count its place differently."""
    found = yaml.reader.Reader.NON_PRINTABLE.search(text, start, end)
    if found is None:
        return ParseError(start, "a character is not allowed in YAML")
    return ParseError(found.start(), f"character U+{ord(found[0]):04X} is not allowed in YAML")


def _wrong_tag(tag: str) -> str:
    name = tag.removeprefix(_STANDARD)
    return f"the value doesn't fit its tag !!{name}" if name in _SCALARS else f"unknown tag {tag!r}"


@dataclass(slots=True)
class _Open:
    """A collection under construction; `key` is the pending key of a mapping."""

    value: Any
    path: Path
    start: int
    anchor: str | None
    key: Any = None
    has_key: bool = False
    merged: list[Any] = field(default_factory=list)


class _Builder:
    """Builds the value of a document from its events."""

    def __init__(self, lines: Lines, offset: int) -> None:
        self.lines = lines
        self.offset = offset
        self.root: Any = None
        self.documents = 0
        self.aliases = 0
        self.stack: list[_Open] = []
        self.anchors: dict[str, Any] = {}
        self.spans: dict[Path, Span] = {}
        self.keys: dict[Path, Span] = {}
        self.plain: set[Path] = set()
        self.duplicates: list[tuple[Path, Span, Span]] = []

    def take(self, event: Any) -> None:
        """Add one event of the stream."""
        kind = type(event)
        if kind is yaml.ScalarEvent:
            self._scalar(event)
        elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
            self._open(event, {} if kind is yaml.MappingStartEvent else [])
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            self._close(event)
        elif kind is yaml.AliasEvent:
            self._alias(event)
        elif kind is yaml.DocumentStartEvent:
            self.documents += 1
            if self.documents > 1:
                raise self._error(event, "a second document begins")

    def _error(self, event: Any, message: str) -> ParseError:
        return ParseError(self.offset + event.start_mark.index, message)

    def _span(self, start: int, event: Any) -> Span:
        return self.lines.span(start, self.offset + event.end_mark.index)

    def _start(self, event: Any) -> int:
        return self.offset + int(event.start_mark.index)

    def _scalar(self, event: Any) -> None:
        node = yaml.ScalarNode(event.tag, event.value, event.start_mark, event.end_mark, event.style)
        if event.tag is None or event.tag == "!":
            node.tag = _RESOLVER.resolve(yaml.ScalarNode, event.value, event.implicit)  # type: ignore[no-untyped-call]
        if node.tag == _MERGE and self._expects_key():
            self._key(event, "<<", merge=True)
            return
        value = self._construct(event, node)
        if self._expects_key():
            self._key(event, value)
            return
        path = self._path()
        if not event.style and event.tag is None and event.anchor is None:
            self.plain.add(path)
        self._place(path, value, event, self._start(event))

    def _construct(self, event: Any, node: yaml.ScalarNode) -> Any:
        try:
            return _CONSTRUCTOR.construct_object(node)
        except yaml.constructor.ConstructorError:
            if event.tag is None:  # a lone = is tagged as a "default value", which nothing reads
                raise self._error(event, f"{node.value!r} must be quoted") from None
            raise self._error(event, _wrong_tag(node.tag)) from None
        except (AttributeError, LookupError, OverflowError, ValueError):
            if event.tag is not None:
                raise self._error(event, _wrong_tag(node.tag)) from None
            return node.value  # 2026-13-45 looks like a date, and digits can be too many for an int

    def _open(self, event: Any, value: Any) -> None:
        if self._expects_key():
            raise self._error(event, "a key must be a single value, not a collection")
        if event.tag not in {None, "!", _STANDARD + ("map" if isinstance(value, dict) else "seq")}:
            raise self._error(event, f"unknown tag {event.tag!r}")
        if len(self.stack) >= MAX_DEPTH:
            raise self._error(event, _TOO_DEEP)
        self.stack.append(_Open(value, self._path(), self._start(event), event.anchor))

    def _close(self, event: Any) -> None:
        done = self.stack.pop()
        for source in done.merged:
            done.value.update({k: v for k, v in source.items() if k not in done.value})
        self._place(done.path, done.value, event, done.start, done.anchor)

    def _alias(self, event: Any) -> None:
        self.aliases += 1
        if self.aliases > MAX_ALIASES:
            raise self._error(event, f"more than {MAX_ALIASES} aliases")
        if event.anchor not in self.anchors:
            raise self._error(event, f"alias {event.anchor!r} names no anchor before it")
        value = self.anchors[event.anchor]
        if not self._expects_key():
            self._place(self._path(), value, event, self._start(event))
        elif isinstance(value, dict | list):
            raise self._error(event, "a key must be a single value, not a collection")
        else:
            self._key(event, value)

    def _expects_key(self) -> bool:
        return bool(self.stack) and isinstance(self.stack[-1].value, dict) and not self.stack[-1].has_key

    def _path(self) -> Path:
        if not self.stack:
            return ()
        top = self.stack[-1]
        return (*top.path, top.key if isinstance(top.value, dict) else len(top.value))

    def _key(self, event: Any, key: Any, *, merge: bool = False) -> None:
        top = self.stack[-1]
        top.key, top.has_key = key, True
        if isinstance(event, yaml.ScalarEvent) and event.anchor:
            self.anchors[event.anchor] = key
        if merge:
            return
        path, span = (*top.path, key), self._span(self._start(event), event)
        if path in self.keys:
            self.duplicates.append((path, self.keys[path], span))
        self.keys[path] = span

    def _place(self, path: Path, value: Any, event: Any, start: int, anchor: str | None = None) -> None:
        anchor = anchor or (event.anchor if isinstance(event, yaml.ScalarEvent) else None)
        if anchor:
            self.anchors[anchor] = value
        self.spans[path] = self._span(start, event)
        if not self.stack:
            self.root = value
            return
        top = self.stack[-1]
        if isinstance(top.value, list):
            top.value.append(value)
            return
        top.has_key = False
        if top.key == "<<" and path not in self.keys:
            top.merged.extend(v for v in (value if isinstance(value, list) else [value]) if isinstance(v, dict))
        else:
            top.value[top.key] = value
