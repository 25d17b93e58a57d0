"""Caliper's .eval.yaml: tasks with a prompt, what a model should expect, and Python that asserts.

`assert` becomes a check that runs the same Python in the workspace, unless it looks at a place outside, which a
sandboxed agent doesn't share. Workspaces that a `setup` command makes have to be written as fixtures.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from skillcheck.exchange.importer import (
    Asserted,
    Found,
    Importer,
    Note,
    Task,
    dropped,
    leftovers,
    prompt_of,
    restated,
    sorted_out,
)
from skillcheck.exchange.wording import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.exchange.document import Document, Entry

REASONS = {
    "skills": "which skills an agent is offered is for `skillcheck behavioral --arms`",
    "sandbox": "the sandbox is skillcheck's own",
    "cleanup": "workspaces are thrown away",
    "setup": "commands don't make workspaces here",
}
_OUTSIDE = re.compile(r"""["'](?:/|~/)[\w.]""")
"""A path in Python that doesn't begin at the workspace."""


def recognises(document: Document) -> bool:
    """An object with a list `tasks` in which something has a prompt and one of expect, assert and activates."""
    judged = {"expect", "assert", "activates"}
    return any("prompt" in task.keys and not judged.isdisjoint(task.keys) for task in document.root.entries("tasks"))


def read(document: Document) -> Iterator[Found]:
    """Read every task."""
    yield from leftovers(document.root, {"tasks", "skills"}, REASONS)
    for entry in document.root.entries("tasks"):
        prompt = prompt_of(entry)
        if isinstance(prompt, Note):
            yield prompt
            continue
        expectations, checks, notes = sorted_out(_asserted(entry))
        yield from leftovers(entry, {"name", "prompt", "expect", "assert", "activates"}, REASONS)
        yield from notes
        ident = entry.text("name") or None
        yield Task(entry, ident, prompt, "", expectations, checks, lacks="setup" in entry.keys)


def _asserted(entry: Entry) -> Iterator[Asserted]:
    yield from plain(entry.entries("expect"))
    program = entry.text("assert")
    if program and _OUTSIDE.search(program):
        yield dropped(
            entry.at("assert"), "it looks at a place outside of the workspace", "let the task write into the workspace"
        )
    elif program:
        yield {"type": "command", "run": ["python3", "-c", program], "timeout": 30}
        yield restated(entry.at("assert"), "a `command` check: run it only if you trust the source")
    for name in entry.entries("activates"):
        if name.text():
            yield {"type": "skill-used", "name": name.text()}
        else:
            yield dropped(name, "it names no skill")


IMPORTER = Importer("caliper", __doc__, recognises, read)
