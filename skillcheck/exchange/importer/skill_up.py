"""skill-up's suites (`schema_version: v1alpha1`) and their case files: an input, what to expect, and a judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.catalog.fault import Fault
from skillcheck.catalog.files import outside
from skillcheck.exchange.document import beside
from skillcheck.exchange.importer import (
    Also,
    Asserted,
    Found,
    Importer,
    Note,
    Task,
    dropped,
    leftovers,
    prompt_of,
    sorted_out,
)
from skillcheck.exchange.wording import about_answer, any_of, plain

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from skillcheck.exchange.document import Document, Entry

REASONS = dict.fromkeys(
    ("environment", "engine", "report", "timeout_seconds", "max_turns"),
    "agents, limits and reports are options of `skillcheck behavioral`",
)


def recognises(document: Document) -> bool:
    """A suite that names case files, or one case: an input with a prompt, and what to judge it by."""
    root = document.root
    is_suite = root.text("schema_version").startswith("v1alpha") and "cases" in root.keys
    return is_suite or ("prompt" in root.at("input").keys and not {"judge", "expect"}.isdisjoint(root.keys))


def read(document: Document) -> Iterator[Found]:
    """Read a case, or all cases of a suite, each with what the suite expects of all."""
    root = document.root
    if "cases" not in root.keys:
        yield from _case(document)
        return
    yield from leftovers(root, {"schema_version", "cases", "skills"}, REASONS)
    defaults = root.at("cases", "defaults")
    yield from leftovers(defaults, {"expect"}, REASONS)
    for entry in root.entries("cases", "files"):
        if outside(entry.text()):
            yield Note(entry, "escaping-file", f"{entry.text()!r} leaves the suite, so its case is left out")
            continue
        folder = document.path.parent
        path = next((path for f in (folder, folder.parent) if (path := f / entry.text()).is_file()), None)
        if path is None:
            yield Note(entry, "missing-file", f"{entry.text()!r} does not exist, so its case is left out")
            continue
        yield from _part(path, entry, defaults)


def _part(path: Path, entry: Entry, defaults: Entry) -> Iterator[Found]:
    case = beside(entry.document, path)
    if isinstance(case, Fault):
        yield Note(entry, case.rule, f"{entry.text()!r}: {case.problem.message}")
        return
    yield Also(case)
    yield from _case(case, defaults)


def _case(document: Document, defaults: Entry | None = None) -> Iterator[Found]:
    root = document.root
    prompt = prompt_of(root.at("input"))
    if isinstance(prompt, Note):
        yield prompt
        return
    expectations, checks, notes = sorted_out(_asserted(root, defaults))
    yield from leftovers(root, {"id", "title", "input", "expect", "judge"})
    setup = tuple(leftovers(root.at("input"), {"prompt"}))
    yield from (*setup, *notes)
    yield Task(root, root.at("id").value, prompt, root.text("title"), expectations, checks, lacks=bool(setup))


def _asserted(root: Entry, defaults: Entry | None) -> Iterator[Asserted]:
    for expect in filter(None, (root.at("expect"), defaults and defaults.at("expect"))):
        yield from about_answer("contains", expect.entries("must_contain"))
        yield from about_answer("lacks", expect.entries("must_not_contain"))
        yield from leftovers(
            expect, {"must_contain", "must_not_contain"}, {"exit_code": "how an agent ends is its class"}
        )
    judge = root.at("judge")
    for rule in judge.entries("success"):
        yield from _rule(rule)
    for key in ("rubric", "criteria", "prompt"):
        yield from plain(judge.entries(key))
    yield from leftovers(judge, {"type", "success", "rubric", "criteria", "prompt"})


def _rule(rule: Entry) -> Iterator[Asserted]:
    output = rule.at("output_contains")
    yield from about_answer("contains", output.entries("all"))
    yield from about_answer("lacks", output.entries("not"))
    yield from any_of(output.entries("any"))
    yield from leftovers(output, {"all", "not", "any"})
    for key in rule.keys:
        if key == "file_exists" and rule.text(key):
            yield {"type": "file-exists", "path": rule.text(key)}
        elif key != "output_contains":
            yield dropped(rule.at(key), "a rule of this kind has no counterpart")


IMPORTER = Importer("skill-up", __doc__, recognises, read)
