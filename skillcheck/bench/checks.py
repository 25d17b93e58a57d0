"""What can be wrong with a task that can be read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from skillcheck import schemas
from skillcheck.catalog.discover import skill_file
from skillcheck.catalog.load import read_skill
from skillcheck.diagnostic import Diagnostic, Severity, clipped
from skillcheck.span import START
from skillcheck.suggest import closest, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from skillcheck.bench.package import Package
    from skillcheck.span import Span

CATEGORIES = (
    "cybersecurity", "finance-economics", "industrial-physical-systems", "mathematics-or-formal-reasoning",
    "media-content-production", "natural-science", "office-white-collar", "software-engineering",
)  # fmt: skip
"""The categories of SkillsBench 1.1."""
DIFFICULTIES = ("easy", "medium", "hard")
_SHOWN = 40


def check(package: Package) -> tuple[Diagnostic, ...]:
    """All that is wrong with a package, in the order of the functions below."""
    every = (named_skills, vocabulary, misspelled_metadata, missing_oracle, missing_verifier)
    return tuple(found for function in every for found in function(package))


def named_skills(package: Package) -> Iterator[Diagnostic]:
    """The prompt names one of the task's skills: the arm without it would be told of something it can't have.

    A name of one word, as docx, counts only where the prompt speaks of a skill, since files and tools have such names.
    """
    lines, body = package.source.lines, package.source.body
    for name in sorted({*skill_names(package), *(folder.name for folder in package.skills)}):
        found = _mention(name).search(lines.text, body)
        if found:
            hint = "the prompt is the same with and without skills: describe what is wanted instead"
            message = f"the prompt names the skill {clipped(name, _SHOWN)!r}"
            span = lines.span(*found.span())
            yield _at(package, package.source.prompt, "task-names-skill", message, hint, span)


def skill_names(package: Package) -> tuple[str, ...]:
    """What the task's skills call themselves, or else what their folders are called."""
    files = ((folder, skill_file(folder)) for folder in package.skills)
    return tuple((read_skill(file, folder.name).name if file else "") or folder.name for folder, file in files)


def _mention(name: str) -> re.Pattern[str]:
    word = rf"(?<![\w.-]){re.escape(name)}(?![\w-])"
    is_telling = "-" in name or "_" in name
    return re.compile(word if is_telling else rf"\bskills?\W+{word}|{word}\W+skill\b", re.IGNORECASE)


def vocabulary(package: Package) -> Iterator[Diagnostic]:
    """Category and difficulty are words of the taxonomy; only a difficulty is the same in both layouts."""
    for key, known, severity in (
        ("category", CATEGORIES, Severity.ERROR if package.layout == "1.1" else Severity.WARNING),
        ("difficulty", DIFFICULTIES, Severity.ERROR),
    ):
        value = getattr(package.settings, key)
        if package.source.settings and value not in known:
            message = f"{key} {clipped(value, _SHOWN)!r} is not in the taxonomy{did_you_mean(value, known)}"
            hint, span = f"known are {', '.join(known)}", package.source.located.span("metadata", key)
            found = _at(package, package.source.settings, "task-taxonomy", message, hint, span)
            yield found._replace(severity=severity)


def misspelled_metadata(package: Package) -> Iterator[Diagnostic]:
    """A key of the metadata, where any is allowed, that is nearly one of those that are known."""
    known = schemas.schema("task")["properties"]["metadata"]["properties"]
    for key in package.settings.metadata:
        near = None if key in known else closest(str(key), known)
        if near and near not in package.settings.metadata:
            span = package.source.located.key_span("metadata", key)
            message = f"metadata {clipped(str(key), _SHOWN)!r} is read by nothing; did you mean {near!r}"
            found = _at(package, package.source.settings, "task-metadata", message, "", span)
            yield found._replace(severity=Severity.WARNING)


def missing_oracle(package: Package) -> Iterator[Diagnostic]:
    """Nothing shows that the task can be solved."""
    home = "oracle" if package.layout == "1.1" else "solution"
    hint = "write a program that does what the prompt asks: with it the reward must be 1"
    yield from _missing(package, package.oracle, f"{home}/solve.sh", hint)


def missing_verifier(package: Package) -> Iterator[Diagnostic]:
    """Nothing judges the work."""
    home = "verifier" if package.layout == "1.1" else "tests"
    hint = "write a program that leaves a reward from 0 to 1 in /logs/verifier/reward.txt"
    yield from _missing(package, package.verifier, f"{home}/test.sh", hint)


def _missing(package: Package, program: Path | None, usual: str, hint: str) -> Iterator[Diagnostic]:
    rule = f"task-missing-{'oracle' if usual.endswith('solve.sh') else 'verifier'}"
    if program is None:
        yield _at(package, usual, rule, "the program is missing", hint)
    elif not program.stat().st_size:
        name = program.relative_to(package.folder).as_posix()
        yield _at(package, name, rule, "the program is empty", hint)


def _at(package: Package, name: str, rule: str, message: str, hint: str, span: Span = START) -> Diagnostic:
    return Diagnostic(f"{package.shown}/{name}", span, rule, Severity.ERROR, message, hint)
