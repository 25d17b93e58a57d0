"""Slash commands in the dialects of several hosts: what each says it does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from skillcheck.catalog import frontmatter
from skillcheck.span import BOM, START, Lines, Span

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Command:
    """One command file; `description` is None where it is missing or can't be read."""

    path: Path
    shown: str
    folder: str
    stem: str
    description: str | None
    span: Span


def parse(path: Path, shown: str, folder: str, text: str) -> Command:
    """Read a command in Markdown with frontmatter, or in TOML."""
    read = _from_toml if path.suffix == ".toml" else _from_markdown
    description, span = read(text.removeprefix(BOM))
    return Command(path, shown, folder, path.stem, description, span)


def _from_markdown(text: str) -> tuple[str | None, Span]:
    found = frontmatter.split(Lines.of(text)).frontmatter
    value = found.data.get("description") if found else None
    return (value.strip(), found.value_span("description")) if found and isinstance(value, str) else (None, START)


def _from_toml(text: str) -> tuple[str | None, Span]:
    import tomllib  # noqa: PLC0415 - most catalogs have no commands

    try:
        value = tomllib.loads(text).get("description")
    except tomllib.TOMLDecodeError:
        return None, START
    if not isinstance(value, str):
        return None, START
    lines = Lines.of(text)
    at = next((n for n in range(1, len(lines.starts) + 1) if lines.line(n).lstrip().startswith("description")), 1)
    return value.strip(), Span(at, 1, at, len(lines.line(at)) + 1)
