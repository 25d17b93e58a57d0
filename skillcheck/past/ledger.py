"""The ledger of what was tried on skills and what came of it: a Markdown file that only grows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from skillcheck.errors import UsageError
from skillcheck.formats import printable
from skillcheck.replace import replace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date
    from pathlib import Path

    from skillcheck.config import Config
    from skillcheck.past.runs import Run

HEADER = """\
# Skill impact

What was tried on a skill and what came of it, oldest first, so that nobody tries again what the evidence has refuted.
`skillcheck ledger add` writes an entry; what is written stays.
"""
_NAME = "skill-impact.md"
_COLUMNS = ("skill", "rank-1 before", "rank-1 after", "pass rate before", "pass rate after")
_UNKNOWN = "not measured"


class Entry(NamedTuple):
    """What was tried on some skills. Rank-1 rates are in percent, by skill; a run is None where none was made."""

    on: date
    skills: Sequence[str]
    tried: str
    conclusion: str
    rank1_before: Mapping[str, float | None]
    rank1_after: Mapping[str, float | None]
    before: Run | None = None
    after: Run | None = None


def by_skill(skills: Sequence[str], rates: Sequence[float | None]) -> Mapping[str, float | None]:
    """The rates of some skills, or of none. Raises UsageError where there are others than one for each."""
    if rates and len(rates) != len(skills):
        message = f"--rank1-before is given {len(rates)} times for {len(skills)} skills: give one for each"
        raise UsageError(message)
    return dict(zip(skills, rates, strict=False))


def place(config: Config) -> Path:
    """Where the ledger of a catalog is, beside its case files."""
    return (config.root / config.cases).parent / _NAME


def add(path: Path, entry: Entry) -> None:
    """Append an entry; a new file gets a heading first.

    Raises UsageError where a text is blank, a run has no trials of a skill, or the file can't be read or written.
    """
    for what, said in (("--tried", entry.tried), ("--conclusion", entry.conclusion)):
        if not said.strip():
            message = f"{what} is blank: an entry says what was tried and what follows from it"
            raise UsageError(message)
    text = _text(entry)
    old = _read(path)
    replace(path, f"{old}{'' if old.endswith(chr(10)) else chr(10)}\n{text}")


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode() or HEADER
    except FileNotFoundError:
        return HEADER
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        message = f"{path} can't be read: {reason}"
        raise UsageError(message) from error


def _text(entry: Entry) -> str:
    rows = (_COLUMNS, ("---",) * len(_COLUMNS), *(_row(entry, skill) for skill in entry.skills))
    named = (("before", entry.before), ("after", entry.after))
    runs = ", ".join(f"{when} `{run.name}` ({run.agents})" for when, run in named if run)
    parts = (
        f"## {entry.on.isoformat()}: {', '.join(entry.skills)}",
        f"Tried: {_line(entry.tried)}",
        "\n".join(f"| {' | '.join(row)} |" for row in rows),
        f"Runs: {runs}" if runs else "",
        f"Conclusion: {_line(entry.conclusion)}",
    )
    return "\n\n".join(filter(None, parts)) + "\n"


def _line(text: str) -> str:
    """On one line, so that no text begins a heading or an entry of its own, and without what drives a terminal."""
    return printable(" ".join(text.split()))


def _row(entry: Entry, skill: str) -> tuple[str, ...]:
    ranks = (_percent(rates.get(skill)) for rates in (entry.rank1_before, entry.rank1_after))
    return skill, *ranks, *(_passed(run, skill) for run in (entry.before, entry.after))


def _percent(rate: float | None) -> str:
    return _UNKNOWN if rate is None else f"{rate:.1f} %"


def _passed(run: Run | None, skill: str) -> str:
    if run is None:
        return _UNKNOWN
    graded = [record for record in run.records if record.skill == skill and record.status != "error"]
    if not graded:
        message = f"run {run.name} has no graded trial of {skill!r}"
        raise UsageError(message)
    passed = sum(record.status == "passed" for record in graded)
    return f"{passed} of {len(graded)} ({passed / len(graded):.1%})"
