"""The contract of an importer: one foreign format. Every other file here is one and ends in one constant, IMPORTER.

A format is told by a document's shape, never by its name: `evals/eval.yaml` alone has four meanings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from skillcheck import registry
from skillcheck.catalog.cases import where
from skillcheck.evals.store.difference import shown_value

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from pathlib import Path

    from skillcheck.exchange.document import Document, Entry


class Note(NamedTuple):
    """Something to tell about a source: `rule` is one of the family `exchange`; `on_key` points at the entry's key."""

    entry: Entry
    rule: str
    message: str
    help: str = ""
    on_key: bool = False


class Trigger(NamedTuple):
    """A prompt that must reach a skill (`wanted`) or must not; without a `skill` it is the document's."""

    entry: Entry
    prompt: str
    wanted: bool
    skill: str = ""


class Input(NamedTuple):
    """A file or folder that an eval begins with: `path` is its place in the workspace, posix.

    Either `source` leads to it, which must not leave the folder `home`, or `text` is what it holds.
    """

    entry: Entry
    path: str
    source: Path | None
    home: Path
    text: str = ""


class Task(NamedTuple):
    """An eval. `id` is as the source gives it, None where it gives none; `checks` are ours.

    `lacks` tells that its workspace can't be carried over in whole, so that it can't be run yet.
    """

    entry: Entry
    id: Any
    prompt: str
    expected_output: str = ""
    expectations: tuple[str, ...] = ()
    checks: tuple[Mapping[str, Any], ...] = ()
    inputs: tuple[Input, ...] = ()
    skill: str = ""
    lacks: bool = False


class Also(NamedTuple):
    """A document that was read as a part of this one, and so isn't read by itself."""

    document: Document


Asserted = str | Mapping[str, Any] | Note
"""What becomes of an assertion: an expectation, a check, or a note."""
Found = Note | Trigger | Task | Also


@dataclass(frozen=True, slots=True)
class Importer:
    """One format: `recognises(document)` goes by shape, `read(document)` yields what it finds, in order.

    `read` takes half-valid documents: what can't be used becomes a note, and the rest counts.
    """

    name: str
    doc: str | None
    recognises: Callable[[Document], bool]
    read: Callable[[Document], Iterator[Found]]


def importer_names() -> tuple[str, ...]:
    """The names of all importers; none is loaded."""
    return registry.names(__name__)


def named(name: str) -> Importer:
    """The importer of a name, ours or a plug-in's. Raises UsageError for an unknown one."""
    return registry.named(__name__, name, "IMPORTER", Importer, "format")


def recognised(document: Document) -> Importer | None:
    """The first importer that takes a document for its own; None if none does."""
    return next((found for found in map(named, importer_names()) if found.recognises(document)), None)


def place(entry: Entry) -> str:
    """The way to an entry, the same for all items of a list: evals[].category."""
    return where(tuple("[]" if isinstance(key, int) else key for key in entry.path)).replace(".[]", "[]") or "this file"


def dropped(entry: Entry, reason: str, help: str = "") -> Note:  # noqa: A002 - what notes call it
    """A value that can't be carried over, and why."""
    return Note(entry, "dropped-value", f"{place(entry)} is not carried over: {reason}", help, on_key=True)


def restated(entry: Entry, form: str) -> Note:
    """A value that is carried over in another form."""
    return Note(entry, "restated-value", f"{place(entry)} becomes {form}", on_key=True)


def invalid(entry: Entry, message: str) -> Note:
    """An entry that can't be used."""
    return Note(entry, "invalid-entry", f"{place(entry)} {message}".strip())


def leftovers(entry: Entry, known: Collection[str], reasons: Mapping[str, str] | None = None) -> Iterator[Note]:
    """The keys of a mapping that an importer doesn't know; `reasons` say why for some of them."""
    told = reasons or {}
    for key in entry.keys:
        if key not in known:
            yield dropped(entry.at(key), told.get(key, "case files have no place for it"))


def prompt_of(entry: Entry, key: str = "prompt") -> str | Note:
    """The prompt of an entry, or why it has none."""
    if not isinstance(entry.value, dict):
        return invalid(entry, f"is no mapping but {shown_value(entry.value)}")
    if entry.text(key):
        return entry.text(key)
    there = key in entry.value
    return invalid(entry.at(key) if there else entry, "is no text" if there else f"has no {key!r}")


def sorted_out(
    asserted: Iterable[Asserted],
) -> tuple[tuple[str, ...], tuple[Mapping[str, Any], ...], tuple[Note, ...]]:
    """Expectations, checks and notes, each in order."""
    every = tuple(asserted)
    return (
        tuple(each for each in every if isinstance(each, str)),
        tuple(each for each in every if isinstance(each, Mapping)),
        tuple(each for each in every if isinstance(each, Note)),
    )
