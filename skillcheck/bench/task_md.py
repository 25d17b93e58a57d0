"""task.md of layout 1.1: settings as YAML frontmatter, then the prompt, bare or below a heading `## prompt`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from skillcheck.bench import settings
from skillcheck.bench.package import MAX_BYTES, NO_BODY, Parts, Source
from skillcheck.catalog import frontmatter
from skillcheck.catalog.fault import Fault
from skillcheck.catalog.load import read_text
from skillcheck.diagnostic import Problem
from skillcheck.span import BOM, Lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAME = "task.md"
_SECTION = re.compile(
    r"^##[ \t]+(?P<name>prompt|role:[\w.-]+|scene:[\w.-]+|user-persona)[ \t]*(?:\r?\n|\Z)", re.IGNORECASE | re.MULTILINE
)
"""The headings that BenchFlow reads, wherever they stand."""
_BLANK_LINES = re.compile(r"(?:[ \t]*\r?\n)*")
_HINT = "begin the file with a line ---, then `metadata:` and the other settings, then a line ---"


def read(folder: Path) -> Parts:
    """What a task.md says."""
    text = read_text(folder / NAME, MAX_BYTES)
    if isinstance(text, Fault):
        return Parts(None, ((NAME, text),))
    lines = Lines.of(text.removeprefix(BOM))
    split = frontmatter.split(lines, bom=text.startswith(BOM))
    faults = [_reworded(fault) for fault in split.faults if fault.rule != "duplicate-key"]  # settings tell of those
    sections = list(_SECTION.finditer(lines.text, split.body))
    if split.frontmatter:
        faults += settings.check(split.frontmatter.located, "1.1")
    if not any(fault.rule == "missing-frontmatter" for fault in faults):  # else nobody knows where the body begins
        faults += _body_faults(lines, split.body, sections)
    if faults or not split.frontmatter:
        return Parts(None, tuple((NAME, fault) for fault in faults))
    body = _end_of_blanks(lines.text, sections[0].end() if sections else split.body)
    return Parts(Source(NAME, lines, body, NAME, split.frontmatter.located))


def _reworded(fault: Fault) -> Fault:
    """What is said of a SKILL.md names its fields."""
    if "`name:`" not in fault.problem.help:
        return fault
    return fault._replace(problem=fault.problem._replace(help=_HINT))


def _end_of_blanks(text: str, at: int) -> int:
    blanks = _BLANK_LINES.match(text, at)
    return blanks.end() if blanks else at


def _body_faults(lines: Lines, start: int, sections: list[re.Match[str]]) -> Iterator[Fault]:
    text = lines.text
    for section in sections:
        name = section["name"]
        if name.lower() != "prompt":
            hint = "only one agent with one prompt is run here"
            message = f"the section '## {name}' is for several agents or turns"
            yield Fault("task-body", Problem(lines.span(section.start(), section.end("name")), message, hint))
    prompts = [section for section in sections if section["name"].lower() == "prompt"]
    for again in prompts[1:]:
        span = lines.span(again.start(), again.end("name"))
        yield Fault("task-body", Problem(span, "the section '## prompt' stands twice", "keep one of the two"))
    before = _end_of_blanks(text, start)
    if prompts and text[before : sections[0].start()].strip():
        hint = "move it below the heading"
        yield Fault(
            "task-body", Problem(lines.span(before, before), "what stands before '## prompt' reaches nobody", hint)
        )
    begins = prompts[0].end() if prompts else start
    if not text[begins:].strip():
        yield Fault("task-body", NO_BODY._replace(span=lines.span(begins, begins)))
