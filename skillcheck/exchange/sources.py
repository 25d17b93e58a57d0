"""Sources that users name: found, read, recognised, and whose skill their evals are for."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from skillcheck.catalog.discover import skill_file
from skillcheck.catalog.fault import Fault
from skillcheck.catalog.files import shown
from skillcheck.catalog.load import read_skill
from skillcheck.errors import UsageError
from skillcheck.exchange.document import ENDINGS, Document
from skillcheck.exchange.document import read as read_document
from skillcheck.exchange.importer import Also, Found, Note, dropped, named, recognised

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from skillcheck.exchange.importer import Importer

SKIPPED = frozenset({"node_modules", "results", "__pycache__"})
"""Folders that hold no sources, beside hidden ones."""
ABOVE = 4
"""How many folders upward a document's skill is looked for."""


class Source(NamedTuple):
    """One document of a known format, and what stands in it."""

    document: Document
    importer: Importer
    found: tuple[Found, ...]


class Gathered(NamedTuple):
    """All that the named sources hold; `passed` counts the files in folders that are of no known format."""

    sources: tuple[Source, ...]
    notes: tuple[Note, ...]
    passed: int


def gather(paths: Sequence[Path], base: Path, form: str | None) -> Gathered:
    """Read files, and what stands below folders; `form` names the format of all, which else goes by shape.

    Raises UsageError for a path that isn't there, an unknown format, and where there is nothing to read.
    """
    chosen = named(form) if form else None
    sources, notes, passed = [], [], 0
    for path, is_named in dict(_files(paths, base)).items():
        document = read_document(path, shown(path, base))
        if isinstance(document, Fault):
            notes.append(_fault(path, shown(path, base), document))
            continue
        importer = chosen or recognised(document)
        if importer is not None:
            found = tuple(importer.read(document))
            if chosen and all(isinstance(each, Note) for each in found):
                found = (*found, _nothing(document, importer))
            sources.append(Source(document, importer, found))
        elif is_named:
            notes.append(_unknown(document))
        else:
            passed += 1
    parts = {each.document.path.resolve() for source in sources for each in source.found if isinstance(each, Also)}
    whole = tuple(source for source in sources if source.document.path.resolve() not in parts)
    if not whole and not notes:
        message = f"no evals of a known format in or below {', '.join(shown(path, base) for path in paths)}"
        raise UsageError(message)
    return Gathered(whole, (*notes, *(note for source in whole for note in _twice(source))), passed)


def _nothing(document: Document, importer: Importer) -> Note:
    return Note(document.root, "unknown-format", f"nothing stands here that {importer.name!r} knows")


def _unknown(document: Document) -> Note:
    value = document.root.value
    if isinstance(value, dict) and "skill_name" in value and "trigger" in value:
        hint = "copy it to evals/cases/, and what its `files` name to evals/fixtures/"
        return Note(document.root, "unknown-format", "this is a case file already, and needs no importer", hint)
    hint = "see `skillcheck import --help` for the formats; --format-of names one"
    return Note(document.root, "unknown-format", "no importer knows this shape", hint)


def skill_of(document: Document) -> str:
    """The skill in whose folder a document stands, or the only one of the plugin that it belongs to; else empty."""
    for folder in (document.path.parent, *document.path.parents[1 : ABOVE + 1]):
        above = skill_file(folder)
        inner = [file for name in _listed(folder / "skills") if (file := skill_file(folder / "skills" / name))]
        found = [above] if above else inner
        if len(found) == 1:
            return read_skill(found[0], found[0].name).name
        if found or (folder / ".git").exists():
            break
    return ""


def _files(paths: Sequence[Path], base: Path) -> Iterator[tuple[Path, bool]]:
    for path in paths:
        if path.is_dir():
            yield from ((file, False) for file in _below(path))
        elif path.exists():
            yield path, True
        else:
            message = f"{shown(path, base)}: no such file or folder"
            raise UsageError(message)


def _below(folder: Path) -> Iterator[Path]:
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in SKIPPED)
        for name in sorted(names):
            is_case = name == "prompt.md" and "graders" in folders
            if is_case or name.endswith(ENDINGS[:-1]):
                yield Path(here) / name


def _listed(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _fault(path: Path, name: str, fault: Fault) -> Note:
    """A fault as a note, at its place in a document that has no value."""
    document = Document(path, name)
    located = document.located._replace(spans={(): fault.problem.span})
    root = Document(path, name, located).root
    return Note(root, fault.rule, fault.problem.message, fault.problem.help)


def _twice(source: Source) -> Iterator[Note]:
    documents = {source.document.path: source.document}
    documents |= {each.document.path: each.document for each in source.found if isinstance(each, Also)}
    for document in documents.values():
        for path, first, second in document.located.duplicates:
            entry = document.root.at(*path)
            located = document.located._replace(spans={entry.path: second}, keys={entry.path: second})
            moved = entry._replace(document=Document(document.path, document.shown, located))
            yield dropped(moved, f"the key stands twice, and the last one counts; line {first.line} has it already")
