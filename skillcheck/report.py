"""What a command found, ready for any format."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from skillcheck.diagnostic import Diagnostic, Severity, relative

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CLEAN, FINDINGS = 0, 1


class Table(NamedTuple):
    """Rows for people to read; every row has as many cells as there are columns."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Report:
    """Diagnostics sorted by path, span and rule, with what was measured.

    `metrics` holds plain JSON values; `records` holds lists of JSON objects by name, for machines;
    `tables` and `summary` hold the same for people.
    """

    diagnostics: tuple[Diagnostic, ...] = ()
    metrics: Mapping[str, Any] = field(default_factory=dict)
    records: Mapping[str, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)
    tables: tuple[Table, ...] = ()
    summary: tuple[str, ...] = ()

    @classmethod
    def of(cls, diagnostics: Iterable[Diagnostic], **rest: Any) -> Report:
        """A report with its diagnostics in order."""
        return cls(tuple(sorted(diagnostics, key=lambda d: d.order)), **rest)

    def seen_from(self, folder: str) -> Report:
        """The same with paths relative to another folder than the working directory."""
        return replace(
            self,
            diagnostics=tuple(
                d._replace(
                    path=relative(d.path, folder),
                    related=tuple(r._replace(path=relative(r.path, folder)) for r in d.related),
                )
                for d in self.diagnostics
            ),
        )

    def counts(self) -> Mapping[Severity, int]:
        """How many diagnostics there are of each severity, zero included."""
        found = Counter(d.severity for d in self.diagnostics)
        return {s: found[s] for s in (Severity.ERROR, Severity.WARNING, Severity.INFO)}

    def exit_status(self, fail_on: Severity = Severity.ERROR) -> int:
        """1 when a diagnostic is at or above `fail_on`, else 0; OFF never fails."""
        worst = max((d.severity for d in self.diagnostics), default=Severity.OFF)
        return FINDINGS if fail_on != Severity.OFF and worst >= fail_on else CLEAN
