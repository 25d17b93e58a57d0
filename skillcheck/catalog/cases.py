"""Case files: the prompts that should and shouldn't reach a skill, and its behavioral evals.

Reading is lenient: an entry that can't be used is left out with a fault, and the rest of the file counts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from skillcheck import schemas
from skillcheck.catalog.card import NO_CARD, Card, Statement
from skillcheck.catalog.fault import Fault
from skillcheck.diagnostic import Problem
from skillcheck.located import Located, ParseError
from skillcheck.located import json as located_json
from skillcheck.span import BOM, Lines, Span
from skillcheck.suggest import closest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

MAX_FAULTS = 100
"""How many breaches of the schema are told of one file; somebody who sees so many needs no more."""

_MAX_MESSAGE = 160


@dataclass(frozen=True, slots=True)
class Prompt:
    """One trigger prompt; `at` is its path in the file, `top_k` None where the file names none."""

    text: str
    at: tuple[Any, ...]
    top_k: int | None = None
    owner: str | None = None


@dataclass(frozen=True, slots=True)
class Eval:
    """One behavioral eval whose shape is right; `files` and `solution`, which may be empty, lie below evals/fixtures/.

    `checks` are as they are written: a `type`, which need not be known, and its options. `core` evals are those that
    every night's run holds.
    """

    id: int | str
    kind: str
    prompt: str
    expected_output: str
    expectations: tuple[str, ...]
    files: tuple[str, ...]
    provisional: bool
    at: tuple[Any, ...]
    checks: tuple[Mapping[str, Any], ...] = ()
    solution: str = ""
    core: bool = False
    card: Card = NO_CARD

    @property
    def judged(self) -> tuple[Statement, ...]:
        """All that the judge grades: the expectations, then what the card asks for."""
        own = (Statement(text, "", ("expectations", index)) for index, text in enumerate(self.expectations))
        return (*own, *self.card.statements())


@dataclass(frozen=True, slots=True)
class CaseFile:
    """One evals/cases/<skill>.json. `stem` is the file's name without its ending, `skill_name` what it declares.

    `mistyped` are the paths at which a key was meant that is written otherwise.
    """

    path: Path
    shown: str
    stem: str
    skill_name: str = ""
    positives: tuple[Prompt, ...] = ()
    negatives: tuple[Prompt, ...] = ()
    evals: tuple[Eval, ...] = ()
    located: Located = field(default_factory=lambda: Located(None, {}, {}), repr=False)
    faults: tuple[Fault, ...] = ()
    mistyped: frozenset[tuple[Any, ...]] = frozenset()

    def span(self, *path: Any) -> Span:
        """Where a value stands."""
        return self.located.span(*path)

    def declared(self, *path: str) -> int | None:
        """How many entries the list at a path has, unusable ones included.

        None where there may be some that can't be counted: in a file that can't be read, under a mistyped key, or
        where no list stands.
        """
        value: Any = self.located.value
        for depth, key in enumerate(path, 1):
            if not isinstance(value, dict) or path[:depth] in self.mistyped:
                return None
            if key not in value:
                return 0
            value = value[key]
        return len(value) if isinstance(value, list) else None


def parse(path: Path, shown: str, text: str) -> CaseFile:
    """Build a case file from the text of `path`, which may begin with a byte-order mark."""
    lines = Lines.of(text.removeprefix(BOM))
    stem = path.name.removesuffix(".json")
    try:
        located = located_json.parse(lines)
    except ParseError as error:
        spot = lines.span(error.offset, min(error.offset + 1, len(lines.text)))
        message = "not JSON: the file is empty" if not lines.text.strip() else f"not JSON: {error.message}"
        return CaseFile(path, shown, stem, faults=(Fault("invalid-json", Problem(spot, message)),))
    mistyped: set[tuple[Any, ...]] = set()
    faults = (*_keys(located, mistyped), *_shape(located, mistyped), *_repeated(located))
    data = located.value if isinstance(located.value, dict) else {}
    name = data.get("skill_name")
    return CaseFile(
        path,
        shown,
        stem,
        skill_name=name if isinstance(name, str) else "",
        positives=tuple(_prompts(data, "positive")),
        negatives=tuple(_prompts(data, "negative")),
        evals=tuple(_evals(data)),
        located=located,
        faults=faults,
        mistyped=frozenset(mistyped),
    )


def where(path: tuple[Any, ...]) -> str:
    """A path as people write it: trigger.positive[1].top_k."""
    return "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path).removeprefix(".")


def _keys(located: Located, mistyped: set[tuple[Any, ...]]) -> Iterator[Fault]:
    """Keys that nothing reads; what near misses were meant for is added to `mistyped`."""
    for path, key, known in islice(schemas.unknown_keys("cases", located.value), MAX_FAULTS):
        near = closest(key, known)
        span = located.key_span(*path, key)
        name = _abridged(where((*path, key)))
        if near:
            mistyped.add((*path, near))
            yield Fault("misspelled-key", Problem(span, f"unknown key {name}; did you mean {near!r}"))
        else:
            hint = "known here: " + ", ".join(known)
            yield Fault("unknown-key", Problem(span, f"unknown key {name}: nothing reads it", hint))


def _shape(located: Located, mistyped: set[tuple[Any, ...]]) -> Iterator[Fault]:
    for path, message in schemas.problems("cases", located.value)[:MAX_FAULTS]:
        missing = message.removesuffix(" is a required property").strip('"') if "required" in message else None
        if missing is None or (*path, missing) not in mistyped:
            said = _abridged(_plain(message))
            text = f"{where(path)}: {said}" if path else said
            yield Fault("case-schema", Problem(located.span(*path), text, "see `skillcheck schema cases`"))


def _repeated(located: Located) -> Iterator[Fault]:
    paths = {path for path, _, _ in located.duplicates}
    for path, first, second in located.duplicates[:MAX_FAULTS]:
        if any(path[:depth] in paths for depth in range(len(path))):
            continue  # both copies of what stands twice are read as one
        message = f"key {_abridged(where(path))} stands twice: line {first.line} has it already"
        yield Fault("repeated-key", Problem(second, message, "the first one is lost; keep one"))


def _plain(message: str) -> str:
    """The validator's message where it quotes a pattern, in words."""
    value, pattern, _ = message.partition(" does not match ")
    if not pattern:
        return message
    return f"{value} is blank" if not value.strip('" \\tnr') else f"{value} can't be part of a file's name"


def _abridged(message: str) -> str:
    """A message without the middle of a long value that it quotes."""
    half = _MAX_MESSAGE // 2
    return message if len(message) <= _MAX_MESSAGE else f"{message[:half]} … {message[-half:]}"


def _entries(value: Any, *path: str) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    for index, entry in enumerate(value if isinstance(value, list) else ()):
        if isinstance(entry, dict):
            yield (*path, index), entry


def _prompts(data: dict[str, Any], kind: str) -> Iterator[Prompt]:
    for at, entry in _entries(data, "trigger", kind):
        text, top_k, owner = entry.get("prompt"), entry.get("top_k"), entry.get("owner")
        if isinstance(text, str):
            yield Prompt(text, at, _top_k(top_k), owner if isinstance(owner, str) else None)


def _top_k(value: Any) -> int | None:
    """JSON Schema takes 1.0 for an integer, and so do we."""
    usable = isinstance(value, int | float) and not isinstance(value, bool) and value >= 1 and value % 1 == 0
    return int(value) if usable else None


def _evals(data: dict[str, Any]) -> Iterator[Eval]:
    for at, entry in _entries(data, "evals"):
        if schemas.fits("cases", "eval", entry):
            yield Eval(
                id=entry["id"] if isinstance(entry["id"], str) else int(entry["id"]),
                kind=entry.get("kind", "execution"),
                prompt=entry["prompt"],
                expected_output=entry["expected_output"],
                expectations=tuple(entry.get("expectations", ())),
                files=tuple(entry.get("files", ())),
                provisional=entry.get("trust_level") == "provisional",
                at=at,
                checks=tuple(entry.get("checks", ())),
                solution=entry.get("solution", ""),
                core=entry.get("core", False),
                card=Card.of(entry),
            )
