"""BenchFlow's evals.json, `cases` with a question each, and the flat list of the same that NVIDIA's tools read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.exchange.importer import Asserted, Found, Importer, Note, Task, leftovers, prompt_of, sorted_out
from skillcheck.exchange.wording import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.exchange.document import Document, Entry

KNOWN = {"id", "question", "ground_truth", "expected_behavior", "expected_skill"}
REASONS = {
    "defaults": "limits and judges are options of `skillcheck behavioral`",
    "environment": "an agent gets variables by `skillcheck behavioral --env NAME`",
    "expected_script": "no check looks at which script ran; `tool-used` with an input-regex comes near",
}


def recognises(document: Document) -> bool:
    """An object with a list `cases`, or a list, in which something has a `question`."""
    value = document.root.value
    cases = value.get("cases") if isinstance(value, dict) else value
    return isinstance(cases, list) and any(isinstance(case, dict) and "question" in case for case in cases)


def read(document: Document) -> Iterator[Found]:
    """Read every case; one without an id is called by its place, from case-000 on, as BenchFlow does."""
    root = document.root
    yield from leftovers(root, {"skill_name", "version", "cases"}, REASONS)
    for number, entry in enumerate(root.entries("cases") if isinstance(root.value, dict) else root.entries()):
        prompt = prompt_of(entry, "question")
        if isinstance(prompt, Note):
            yield prompt
            continue
        skill = root.text("skill_name") or entry.text("expected_skill")
        expectations, checks, notes = sorted_out(_asserted(entry, skill))
        yield from (*leftovers(entry, KNOWN, REASONS), *notes)
        ident = entry.at("id").value
        name = f"case-{number:03}" if ident is None else ident
        yield Task(entry, name, prompt, entry.text("ground_truth"), expectations, checks, skill=skill)


def _asserted(entry: Entry, skill: str) -> Iterator[Asserted]:
    yield from plain(entry.entries("expected_behavior"))
    expected = entry.text("expected_skill")
    if expected:
        yield {"type": "skill-used", **({} if expected == skill else {"name": expected})}


IMPORTER = Importer("benchflow", __doc__, recognises, read)
