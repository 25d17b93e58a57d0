"""Case files: the prompts that should and shouldn't reach a skill, and its behavioral evals.

Reading is lenient: an entry that can't be used is left out with a fault, and the rest of the file counts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from skillcheck import schemas
from skillcheck.catalog.fault import Fault
from skillcheck.diagnostic import Problem
from skillcheck.located import Located, ParseError
from skillcheck.located import json as located_json
from skillcheck.span import Lines, Span
from skillcheck.suggest import closest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Prompt:
    """One trigger prompt; `at` is its path in the file, `top_k` None where the file names none."""

    text: str
    at: tuple[Any, ...]
    top_k: int | None = None
    owner: str | None = None


@dataclass(frozen=True, slots=True)
class Eval:
    """One behavioral eval whose shape is right; `files` are paths below evals/fixtures/."""

    id: int | str
    kind: str
    prompt: str
    expected_output: str
    expectations: tuple[str, ...]
    files: tuple[str, ...]
    provisional: bool
    at: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class CaseFile:
    """One evals/cases/<skill>.json. `stem` is the file's name without its ending, `skill_name` what it declares."""

    path: Path
    shown: str
    stem: str
    skill_name: str = ""
    positives: tuple[Prompt, ...] = ()
    negatives: tuple[Prompt, ...] = ()
    evals: tuple[Eval, ...] = ()
    located: Located = field(default_factory=lambda: Located(None, {}, {}), repr=False)
    faults: tuple[Fault, ...] = ()

    def span(self, *path: Any) -> Span:
        """Where a value stands."""
        return self.located.span(*path)

    def declared(self, *path: Any) -> int:
        """How many entries the list at a path has, unusable ones included."""
        value: Any = self.located.value
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        return len(value) if isinstance(value, list) else 0


def parse(path: Path, shown: str, text: str) -> CaseFile:
    """Build a case file from the text of `path`, which may begin with a byte-order mark."""
    lines = Lines.of(text.removeprefix("\ufeff"))
    stem = path.name.removesuffix(".json")
    try:
        located = located_json.parse(lines)
    except ParseError as error:
        spot = lines.span(error.offset, min(error.offset + 1, len(lines.text)))
        fault = Fault("invalid-json", Problem(spot, f"not JSON: {error.message}"))
        return CaseFile(path, shown, stem, faults=(fault,))
    faults = tuple(_faults(located))
    if not isinstance(located.value, dict):
        return CaseFile(path, shown, stem, located=located, faults=faults)
    name = located.value.get("skill_name")
    return CaseFile(
        path,
        shown,
        stem,
        name if isinstance(name, str) else "",
        tuple(_prompts(located.value, "positive")),
        tuple(_prompts(located.value, "negative")),
        tuple(_evals(located.value)),
        located,
        faults,
    )


def _faults(located: Located) -> Iterator[Fault]:
    misspelled = set()
    for path, key, known in schemas.unknown_keys("cases", located.value):
        near = closest(key, known)
        span = located.key_span(*path, key)
        where = _where((*path, key))
        if near:
            misspelled.add((path, near))
            yield Fault("misspelled-key", Problem(span, f"unknown key {where}; did you mean {near!r}"))
        else:
            hint = "known here: " + ", ".join(known)
            yield Fault("unknown-key", Problem(span, f"unknown key {where}: nothing reads it", hint))
    for path, message in schemas.problems("cases", located.value):
        if not any(p == path and message.startswith(f'"{near}" is a required') for p, near in misspelled):
            text = f"{_where(path)}: {message}" if path else message
            yield Fault("case-schema", Problem(located.span(*path), text, "see `skillcheck schema cases`"))
    for path, first, second in located.duplicates:
        message = f"key {_where(path)} stands twice: line {first.line} has it already"
        yield Fault("repeated-key", Problem(second, message, "the first one is lost; keep one"))


def _where(path: tuple[Any, ...]) -> str:
    """A path as people write it: trigger.positive[1].top_k."""
    return "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path).removeprefix(".")


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
            usable = isinstance(top_k, int) and not isinstance(top_k, bool) and top_k >= 1
            yield Prompt(text, at, top_k if usable else None, owner if isinstance(owner, str) else None)


def _evals(data: dict[str, Any]) -> Iterator[Eval]:
    for at, entry in _entries(data, "evals"):
        if schemas.fits("cases", "eval", entry):
            yield Eval(
                entry["id"],
                entry.get("kind", "execution"),
                entry["prompt"],
                entry["expected_output"],
                tuple(entry["expectations"]),
                tuple(entry.get("files", ())),
                entry.get("trust_level") == "provisional",
                at,
            )
