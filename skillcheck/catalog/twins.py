"""Slash commands of several hosts that are one command."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from skillcheck.catalog.commands import Command


class Twins(NamedTuple):
    """One command in the folders that have it, Markdown first, and the folders that lack it."""

    commands: tuple[Command, ...]
    missing: tuple[str, ...]


def twins(commands: Sequence[Command], aliases: Mapping[str, str]) -> Iterator[Twins]:
    """Match Markdown commands with TOML ones; none where there is one dialect alone.

    `aliases` maps a Markdown command's stem to the one that TOML commands bear instead; the same stem comes first.
    """
    markdown = {command.stem: command for command in commands if command.path.suffix == ".md"}
    folders: dict[str, dict[str, Command]] = {}
    for command in commands:
        if command.path.suffix != ".md":
            folders.setdefault(command.folder, {})[command.stem] = command
    if not markdown or not folders:
        return
    place = next(iter(markdown.values())).folder
    taken: set[str] = set()
    for stem, command in markdown.items():
        alias = str(aliases.get(stem, stem))
        stems = (stem,) if alias in markdown else (stem, alias)
        here = {folder: _first(toml, stems) for folder, toml in folders.items()}
        found = tuple(twin for twin in here.values() if twin)
        taken.update(twin.shown for twin in found)
        yield Twins((command, *found), tuple(folder for folder, twin in here.items() if twin is None))
    left = sorted({stem for toml in folders.values() for stem, twin in toml.items() if twin.shown not in taken})
    for stem in left:
        found = tuple(toml[stem] for toml in folders.values() if stem in toml)
        yield Twins(found, (place, *(folder for folder, toml in folders.items() if stem not in toml)))


def _first(folder: Mapping[str, Command], stems: Sequence[str]) -> Command | None:
    return next((folder[stem] for stem in stems if stem in folder), None)
