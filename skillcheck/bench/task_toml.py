"""task.toml and instruction.md of layout 1.0: settings and prompt in files of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.catalog.fault import Fault
from skillcheck.diagnostic import Problem
from skillcheck.located import Located, ParseError
from skillcheck.located import toml as located_toml
from skillcheck.span import START

if TYPE_CHECKING:
    from skillcheck.span import Lines

NAME = "task.toml"
INSTRUCTION = "instruction.md"


def read(lines: Lines) -> Located | Fault:
    """The settings in a task.toml."""
    try:
        return located_toml.parse(lines)
    except ParseError as error:
        spot = lines.span(error.offset, min(error.offset + 1, len(lines.text)))
        return Fault("task-unparsable", Problem(spot, f"not TOML: {error.message}"))


def read_instruction(lines: Lines) -> Fault | None:
    """What is wrong with an instruction.md."""
    if lines.text.strip():
        return None
    hint = "write what the agent is to do, and where it finds and leaves files"
    return Fault("task-body", Problem(START, "the task has no body, so there is no prompt", hint))
