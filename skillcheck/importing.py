"""`skillcheck import` without its options: others' eval files, filed, and a report of what came of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem
from skillcheck.exchange.filing import Filing
from skillcheck.exchange.fixtures import Fixtures
from skillcheck.exchange.importer import Note, Task, Trigger
from skillcheck.exchange.sources import gather, skill_of
from skillcheck.report import Report, Table
from skillcheck.rules import active, diagnose

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from skillcheck.config import Config
    from skillcheck.diagnostic import Diagnostic
    from skillcheck.exchange.sources import Source

FAMILY = frozenset({"exchange"})


def take_in(
    paths: Sequence[Path], config: Config, base: Path, *, skill: str | None, form: str | None, write: bool
) -> Report:
    """Import sources into the catalog of `config`; without `write` nothing is changed. See `api.take_in`."""
    found = gather(paths, base, form)
    folder = config.root / config.cases
    given = frozenset(str(each.id) for s in found.sources for each in s.found if isinstance(each, Task))
    filing = Filing(folder, Fixtures(folder.parent / "fixtures"), given)
    rows: list[tuple[str, ...]] = []
    for source in found.sources:
        before = filing.evals, filing.triggers, len(filing.notes)
        _file(source, skill, filing)
        told = len(filing.notes) - before[2] + sum(isinstance(each, Note) for each in source.found)
        filed = filing.evals - before[0], filing.triggers - before[1], told
        rows.append((source.document.shown, source.importer.name, *map(str, filed)))
    written = filing.write() if write else ()
    notes = (*found.notes, *filing.notes, *(n for s in found.sources for n in s.found if isinstance(n, Note)))
    columns = ("source", "format", "evals", "prompts", "notes")
    return Report.of(
        _diagnostics(notes, config),
        metrics={"evals": filing.evals, "prompts": filing.triggers, "fixtures": len(filing.fixtures.copies)},
        records={"sources": tuple(dict(zip(columns, row, strict=True)) for row in rows)},
        tables=(Table("Imported" if write else "[dry-run] Imported", columns, tuple(rows)),) if rows else (),
        summary=tuple(_summary(filing, found.passed, written)),
    )


def _file(source: Source, skill: str | None, filing: Filing) -> None:
    nearest = ""
    for each in source.found:
        if isinstance(each, Task | Trigger):
            named = skill or each.skill
            nearest = nearest or ("" if named else skill_of(source.document))
            filing.add(each, named or nearest)


def _summary(filing: Filing, passed: int, written: tuple[Path, ...]) -> Iterator[str]:
    if passed:
        yield f"passed over, since they are of no known format: {passed} files"
    yield f"evals: {filing.evals}, prompts: {filing.triggers}, fixtures: {len(filing.fixtures.copies)}"
    yield from (f"written: {path}" for path in written)
    if written:
        yield "now see what they lack: skillcheck check"


def _diagnostics(notes: Iterable[Note], config: Config) -> Iterator[Diagnostic]:
    """What is the same in many places of a source is told once, at the first of them."""
    rules = {rule.name: rule for rule in active(replace(config, select=()), FAMILY)}  # what is lost is told to all
    counts: Counter[tuple[str, str, str]] = Counter()
    first: dict[tuple[str, str, str], Note] = {}
    for note in notes:
        key = (note.entry.document.shown, note.rule, note.message)
        counts[key] += 1
        first.setdefault(key, note)
    for key, note in first.items():
        if note.rule in rules:
            times = f" ({counts[key]} times, here first)" if counts[key] > 1 else ""
            span = note.entry.key_span if note.on_key else note.entry.span
            problem = Problem(span, f"{note.message}{times}", note.help)
            yield diagnose(rules[note.rule], note.entry.document.shown, problem, config)
