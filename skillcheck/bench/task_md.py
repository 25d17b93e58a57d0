"""task.md of layout 1.1: settings as YAML frontmatter, then the prompt, bare or below a heading `## prompt`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from skillcheck.catalog import frontmatter
from skillcheck.catalog.fault import Fault
from skillcheck.diagnostic import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.located import Located
    from skillcheck.span import Lines

NAME = "task.md"
_SECTION = re.compile(
    r"^##[ \t]+(?P<name>prompt|role:[\w.-]+|scene:[\w.-]+|user-persona)[ \t]*(?:\r?\n|\Z)", re.IGNORECASE | re.MULTILINE
)
"""The headings that BenchFlow reads, wherever they stand."""
_BLANK_LINES = re.compile(r"(?:[ \t]*\r?\n)*")
_HINT = "begin the file with a line ---, then `metadata:` and the other settings, then a line ---"


class Document(NamedTuple):
    """What a task.md says: `located` are its settings, None where they can't be read; the prompt begins at `body`."""

    located: Located | None
    body: int
    faults: tuple[Fault, ...]


def read(lines: Lines, *, bom: bool) -> Document:
    """Take a task.md apart; `bom` tells that a byte-order mark stood before the text."""
    split = frontmatter.split(lines, bom=bom)
    faults = [_reworded(fault) for fault in split.faults if fault.rule != "duplicate-key"]
    body = split.body
    if not any(fault.rule == "missing-frontmatter" for fault in split.faults):  # else nobody knows where it begins
        sections = list(_SECTION.finditer(lines.text, body))
        faults += _body_faults(lines, body, sections)
        body = sections[0].end() if sections else body
        body = _end_of_blanks(lines.text, body)
    located = split.frontmatter.located if split.frontmatter else None
    return Document(located, body, tuple(faults))


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
        hint = "write what the agent is to do, and where it finds and leaves files"
        yield Fault(
            "task-body", Problem(lines.span(begins, begins), "the task has no body, so there is no prompt", hint)
        )
