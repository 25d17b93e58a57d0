"""Caliper's .eval.yaml: tasks with a prompt, what a model should expect, and Python that asserts.

`assert` becomes a check that runs the same Python in the workspace. One that looks at a place outside, which a
sandboxed agent doesn't share, leaves its eval provisional, and so does a `setup` command: that has to be a fixture.
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
        yield Task(entry, ident, prompt, "", expectations, checks, lacks=_lacks(entry))


def _lacks(entry: Entry) -> bool:
    return "setup" in entry.keys or _looks_outside(entry)


def _looks_outside(entry: Entry) -> bool:
    return bool(_OUTSIDE.search(entry.text("assert")))


def _asserted(entry: Entry) -> Iterator[Asserted]:
    yield from plain(entry.entries("expect"))
    program = entry.text("assert")
    if program:
        yield {"type": "command", "run": ["python3", "-c", program], "timeout": 30}
        far = "; its eval is provisional, since it looks outside of the workspace" if _looks_outside(entry) else ""
        yield restated(entry.at("assert"), f"a `command` check, to run if you trust the source{far}")
    for name in entry.entries("activates"):
        if name.text():
            yield {"type": "skill-used", "name": name.text()}
        else:
            yield dropped(name, "it names no skill")


IMPORTER = Importer("caliper", __doc__, recognises, read)
