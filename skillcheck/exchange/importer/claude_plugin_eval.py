"""A case of `claude plugin eval`: prompt.md, graders in Markdown beside it, and perhaps a case.yaml.

Graders that look at tools and files become checks, `llm` an expectation. A grader that wants a skill to be invoked
becomes `skill-used`; both pass only where the agent finds skills by itself (`--delivery native`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from skillcheck.catalog.fault import Fault
from skillcheck.exchange.document import Document, beside
from skillcheck.exchange.importer import (
    Also,
    Asserted,
    Found,
    Importer,
    Note,
    Task,
    dropped,
    invalid,
    leftovers,
    sorted_out,
)
from skillcheck.exchange.wording import about_answer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.exchange.document import Entry

GRADERS, CASE, PROMPT = "graders", "case.yaml", "prompt.md"
SETTINGS = dict.fromkeys(
    ("max_turns", "timeout_seconds", "model", "allowed_tools", "runs", "execution"),
    "agents, trials and limits are options of `skillcheck behavioral`",
)
SETTINGS["context"] = "commands and histories don't make workspaces here"
REASONS = {"weight": "every verdict counts the same", "arm": "a check counts in every arm"}
_SKILL = re.compile(r"([a-z0-9]+(?:-[a-z0-9]+)*)\"?\$?$")
_PLAIN = re.compile(r"[\w .|()*+?/-]+")
"""Expressions that match the values of a call's input as they match its JSON."""


def recognises(document: Document) -> bool:
    """Markdown beside graders/ with Markdown in it, or a YAML of the schema 1.1 with graders or an execution."""
    if document.path.suffix == ".md":
        return bool(document.body) and any((document.path.parent / GRADERS).glob("*.md"))
    version, keys = document.root.at("schema_version").value, document.root.keys
    return str(version) == "1.1" and not {"graders", "execution"}.isdisjoint(keys)


def read(document: Document) -> Iterator[Found]:
    """Read the case that a document is a part of, whichever part it is."""
    is_prompt = document.path.suffix == ".md"
    prompt = document if is_prompt else _part(document, PROMPT)
    case = _part(document, CASE) if is_prompt else document
    yield from (Also(part) for part in (prompt, case) if part and part is not document)
    text = prompt.body if prompt else document.root.text("prompt") or document.root.text("execution", "prompt")
    if not text:
        yield invalid(document.root, f"has no prompt: {PROMPT} is missing")
        return
    if prompt:
        yield from leftovers(prompt.root, {"name", "description", "tags"}, SETTINGS)
    if case:
        yield from leftovers(case.root, {"schema_version", "name", "graders", "prompt"}, SETTINGS)
    expectations, checks, notes = sorted_out(_graded(document, case))
    yield from notes
    lacks = case is not None and "context" in case.root.keys
    yield Task(document.root, document.path.parent.name, text, "", expectations, checks, lacks=lacks)


def _graded(document: Document, case: Document | None) -> Iterator[Asserted]:
    for grader in case.root.entries(GRADERS) if case else ():
        yield from _grader(grader, "")
    for path in sorted((document.path.parent / GRADERS).glob("*.md")):
        name = f"{GRADERS}/{path.name}"
        part = _part(document, name)
        if part:
            yield from _grader(part.root, part.body)
        else:
            yield Note(document.root, "unreadable-source", f"{name} can't be read")


def _part(document: Document, name: str) -> Document | None:
    path = document.path.parent / name
    found = beside(document, path) if path.is_file() else None
    return None if isinstance(found, Fault) else found


def _grader(grader: Entry, body: str) -> Iterator[Asserted]:
    kind = grader.text("type")
    known = {"type", "name"}
    if kind == "tool_used":
        yield _tool_used(grader)
        known |= {"tool", "input_match", "min", "max"}
    elif kind == "tool_order":
        tools = [each.text() for key in ("tools", "order") for each in grader.entries(key)]
        yield {"type": "tool-order", "tools": tools} if tools else invalid(grader, "names no tools")
        known |= {"tools", "order"}
    elif kind == "file_exists":
        yield {"type": "file-exists", "path": grader.text("path")}
        known.add("path")
    elif kind == "regex":
        yield from about_answer("matches", [grader.at("pattern")])
        known.add("pattern")
    elif kind == "llm" and (body or grader.text("criteria")):
        yield body or grader.text("criteria")
        known.add("criteria")
    else:
        yield dropped(grader, f"a grader of the type {kind!r} has no counterpart")
        return
    yield from leftovers(grader, known, REASONS)


def _tool_used(grader: Entry) -> Asserted:
    tool, pattern = grader.text("tool"), grader.text("input_match")
    if tool == "Skill" and pattern:
        skill = _SKILL.search(pattern)
        return {"type": "skill-used", "name": skill[1]} if skill else dropped(grader, "it names no single skill")
    if pattern and not _PLAIN.fullmatch(pattern):
        return dropped(grader, "its input_match is for the whole input as JSON, and ours for one value at a time")
    amounts = {key: grader.at(key).value for key in ("min", "max") if key in grader.keys}
    return {"type": "tool-used", "tool": tool, **({"input-regex": pattern} if pattern else {}), **amounts}


IMPORTER = Importer("claude-plugin-eval", __doc__, recognises, read)
