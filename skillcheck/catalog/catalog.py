"""A catalog: skills with everything that checks look at beside them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from skillcheck.catalog.files import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from skillcheck.catalog.cases import CaseFile
    from skillcheck.catalog.commands import Command
    from skillcheck.catalog.fault import Fault
    from skillcheck.catalog.files import Files
    from skillcheck.catalog.skill import Skill
    from skillcheck.config import Config


@dataclass(frozen=True)
class Catalog:
    """Skills in path order. `selected` are the shown paths of those that are reported; the rest are siblings.

    `narrowed` tells that single skills were named, `left_out` which of them settings exclude. `faults` are what was odd
    while looking for skills, by shown path. `has_cases` tells that there is a folder of case files.
    """

    config: Config
    base: Path
    skills: tuple[Skill, ...]
    selected: frozenset[str]
    narrowed: bool
    left_out: tuple[str, ...]
    faults: tuple[tuple[str, Fault], ...]
    files: Files
    has_cases: bool
    read_cases: Callable[[], tuple[CaseFile, ...]]
    read_commands: Callable[[], tuple[Command, ...]]

    def owns(self, skill: Skill) -> bool:
        """Whether a skill's file lies in the repository, links followed."""
        return skill.path.resolve().is_relative_to(self.files.boundary.resolve())

    def show(self, path: str) -> str:
        """A path that settings give, as users read it."""
        return shown(self.config.root / path, self.base)

    @cached_property
    def case_files(self) -> tuple[CaseFile, ...]:
        """The case files in name order, read when they are first asked for. Raises UsageError where that can't be."""
        return self.read_cases()

    @cached_property
    def commands(self) -> tuple[Command, ...]:
        """The slash commands, read when they are first asked for."""
        return self.read_commands()

    @cached_property
    def names(self) -> Mapping[str, tuple[Skill, ...]]:
        """Skills by name, each in path order; several where a name is taken twice."""
        found: dict[str, list[Skill]] = {}
        for skill in self.skills:
            found.setdefault(skill.name, []).append(skill)
        return {name: tuple(skills) for name, skills in found.items()}

    @cached_property
    def folders(self) -> frozenset[str]:
        """The names of the skills' directories: most names that skills call each other by, and none needs reading."""
        return frozenset(skill.folder for skill in self.skills)

    @cached_property
    def known(self) -> frozenset[str]:
        """What a skill may be called by: declared names, and directories (so that a misnamed skill is one finding)."""
        return self.folders.union(self.names)

    @cached_property
    def reported_skills(self) -> tuple[Skill, ...]:
        """The selected skills, in path order."""
        return tuple(skill for skill in self.skills if skill.shown in self.selected)

    @cached_property
    def reported_cases(self) -> tuple[CaseFile, ...]:
        """The case files that are reported: all of them, or those of the skills that were asked about."""
        left_out = [skill for skill in self.skills if skill.shown not in self.selected]
        names = {name for skill in self.skills if skill not in left_out for name in (skill.name, skill.folder)}
        return tuple(file for file in self.case_files if not left_out or file.stem in names)

    @property
    def fixtures(self) -> Path:
        """The folder of the fixtures, beside that of the case files."""
        return (self.config.root / self.config.cases).parent / "fixtures"
