"""task.toml and instruction.md of layout 1.0: settings and prompt in files of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.bench import settings
from skillcheck.bench.package import MAX_BYTES, NO_BODY, Parts, Source
from skillcheck.catalog.fault import Fault
from skillcheck.catalog.load import read_text
from skillcheck.diagnostic import Problem
from skillcheck.located import Located, ParseError
from skillcheck.located import toml as located_toml
from skillcheck.span import BOM, START, Lines

if TYPE_CHECKING:
    from pathlib import Path

NAME = "task.toml"
INSTRUCTION = "instruction.md"


def read(folder: Path) -> Parts:
    """What a task's files say; a task without task.toml has no settings."""
    prompt, located = _prompt(folder), _settings(folder)
    if isinstance(prompt, Lines) and isinstance(located, Located):
        name = NAME if (folder / NAME).exists() else ""
        return Parts(Source(INSTRUCTION, prompt, 0, name, located))
    faults = [(INSTRUCTION, prompt)] if isinstance(prompt, Fault) else []
    faults += [(NAME, fault) for fault in located] if isinstance(located, list) else []
    return Parts(None, tuple(faults))


def _prompt(folder: Path) -> Lines | Fault:
    if not (folder / INSTRUCTION).exists():
        return Fault("task-layout", Problem(START, "the file is missing", "write the prompt into it, or a task.md"))
    text = read_text(folder / INSTRUCTION, MAX_BYTES)
    if isinstance(text, Fault):
        return text
    return Lines.of(text.removeprefix(BOM)) if text.strip(BOM).strip() else Fault("task-body", NO_BODY)


def _settings(folder: Path) -> Located | list[Fault]:
    if not (folder / NAME).exists():
        return Located({}, {}, {})
    text = read_text(folder / NAME, MAX_BYTES)
    if isinstance(text, Fault):
        return [text]
    lines = Lines.of(text.removeprefix(BOM))
    try:
        located = located_toml.parse(lines)
    except ParseError as error:
        spot = lines.span(error.offset, min(error.offset + 1, len(lines.text)))
        return [Fault("task-unparsable", Problem(spot, f"not TOML: {error.message}"))]
    return [*settings.check(located, "1.0")] or located
