"""Mend what has a safe fix: edit, look again, until nothing is left to mend."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from skillcheck.diagnostic import apply
from skillcheck.span import BOM

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from skillcheck.catalog.catalog import Catalog
    from skillcheck.catalog.skill import Skill
    from skillcheck.diagnostic import Diagnostic, Edit
    from skillcheck.report import Report

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
"""A line as diff and patch see it: only a line feed ends one."""
MAX_PASSES = 10
"""Fixes that undo each other are a bug in a rule; this bounds what it costs."""


@dataclass(frozen=True, slots=True)
class Change:
    """A file before and after, byte-order marks included."""

    skill: Skill
    before: str
    after: str

    def diff(self) -> str:
        """The change as a unified diff."""
        before, after = (_LINE.findall(text) for text in (self.before, self.after))
        lines = difflib.unified_diff(before, after, self.skill.shown, self.skill.shown)
        return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)


def mend(catalog: Catalog, look: Callable[[Catalog], Report]) -> tuple[Report, tuple[Change, ...]]:
    """Apply the safe fixes of what `look` finds to the selected skills; nothing is written.

    Skills that a link brings in from outside of the repository belong to somebody else and stay as they are.

    Returns the report on what is left, and the changes in path order.
    """
    now = catalog
    report = look(now)
    for _ in range(MAX_PASSES):
        skills = tuple(_mended(s, report.diagnostics) if catalog.owns(s) else s for s in now.skills)
        if skills == now.skills:
            break
        now = replace(now, skills=skills)
        report = look(now)
    pairs = zip(catalog.skills, now.skills, strict=True)
    return report, tuple(Change(new, old.raw_text, new.raw_text) for old, new in pairs if old != new)


def _mended(skill: Skill, diagnostics: Iterable[Diagnostic]) -> Skill:
    edits: list[Edit] = []
    for diagnostic in diagnostics:
        fix = diagnostic.fix
        if fix and fix.safe and diagnostic.path == skill.shown and not _overlap(edits, fix.edits):
            edits.extend(fix.edits)
    if not edits:
        return skill
    text = apply(skill.raw_text, edits)
    return replace(skill, text=text.removeprefix(BOM), bom=text.startswith(BOM))


def _overlap(taken: Iterable[Edit], more: Iterable[Edit]) -> bool:
    """Whether any edit of `more` touches one of `taken`; touching ones wait for the next pass."""
    return any(a.span[:2] <= b.span[2:] and b.span[:2] <= a.span[2:] for a in taken for b in more)
