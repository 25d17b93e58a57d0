"""waza's suites (eval.yaml), their task files, and trigger_tests.yaml.

Graders on files, tools and skills become checks, those on the answer expectations; Python (`code`), programs, limits
and snapshots are told. Names of tools stay as they are, and belong to the agent that waza ran.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from skillcheck.catalog.fault import Fault
from skillcheck.exchange.document import ENDINGS, beside
from skillcheck.exchange.importer import (
    Also,
    Found,
    Importer,
    Input,
    Note,
    Task,
    Trigger,
    invalid,
    leftovers,
    prompt_of,
    sorted_out,
)
from skillcheck.exchange.waza_graders import expected, graded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from skillcheck.exchange.document import Document, Entry

TRIGGERS = {"should_trigger_prompts": True, "should_not_trigger_prompts": False}
SETTINGS = "agents, trials, limits and thresholds are options of `skillcheck behavioral`"
REASONS = {**dict.fromkeys(("config", "executor", "model", "timeout_seconds"), SETTINGS)} | {
    "metrics": "pass rates aren't weighed",
    "hooks": "commands don't make workspaces here",
}
TASK = {"id", "name", "description", "inputs", "expected", "graders", "enabled", "prompt", "validators", "context_dir"}
SUITE = {"name", "description", "skill", "version", "tasks", "graders"}


class _Suite(NamedTuple):
    """What the tasks of a suite share; a task by itself is its own suite."""

    root: Entry
    expectations: tuple[str, ...] = ()
    checks: tuple[Mapping[str, Any], ...] = ()


def recognises(document: Document) -> bool:
    """A suite for a skill with a configuration or an executor, a task with inputs, or prompts that should trigger."""
    root = document.root
    is_suite = {"tasks", "skill"} <= set(root.keys) and not {"config", "executor"}.isdisjoint(root.keys)
    is_task = "id" in root.keys and "prompt" in root.at("inputs").keys
    return is_suite or is_task or not TRIGGERS.keys().isdisjoint(root.keys)


def read(document: Document) -> Iterator[Found]:
    """Read a suite with the tasks that it names, one task, or trigger tests."""
    root = document.root
    if "tasks" in root.keys:
        yield from _suite(root)
    elif "inputs" in root.keys:
        yield from _task(root, _Suite(root))
    else:
        yield from _triggers(root)


def _triggers(root: Entry) -> Iterator[Found]:
    yield from leftovers(root, {"skill", *TRIGGERS})
    for key, wanted in TRIGGERS.items():
        for entry in root.entries(key):
            prompt = prompt_of(entry)
            yield prompt if isinstance(prompt, Note) else Trigger(entry, prompt, wanted, root.text("skill"))
            yield from leftovers(entry, {"prompt"})


def _suite(root: Entry) -> Iterator[Found]:
    yield from leftovers(root, SUITE, REASONS)
    expectations, checks, notes = sorted_out(graded(root))
    yield from notes
    suite = _Suite(root, expectations, checks)
    for entry in root.entries("tasks"):
        if isinstance(entry.value, dict):
            yield from _task(entry, suite)
        elif entry.text():
            yield from _named(entry, suite)
        else:
            yield invalid(entry, "is neither a task nor a pattern for files")


def _named(entry: Entry, suite: _Suite) -> Iterator[Found]:
    """The tasks in the files that a pattern finds, which lie below the suite's folder."""
    root = suite.root
    folder = root.document.path.parent
    paths = _matching(folder, entry.text())
    if not paths:
        yield Note(entry, "missing-file", f"{entry.text()!r} matches no file below the suite's folder")
    for path in paths:
        task = beside(root.document, path)
        if isinstance(task, Fault):
            yield Note(entry, task.rule, f"{path.name!r}: {task.problem.message}")
        else:
            yield Also(task)
            yield from _task(task.root, suite)


def _matching(folder: Path, pattern: str) -> list[Path]:
    try:
        found = sorted(folder.glob(pattern))
    except (ValueError, NotImplementedError):  # an absolute pattern, or none
        return []
    home = folder.resolve()
    return [path for path in found if path.suffix in ENDINGS and path.resolve().is_relative_to(home)]


def _task(entry: Entry, suite: _Suite) -> Iterator[Found]:
    inputs = entry.at("inputs") if "inputs" in entry.keys else entry
    prompt = prompt_of(inputs)
    if isinstance(prompt, Note):
        yield prompt
        return
    skill = suite.root.text("skill")
    wanted = entry.at("expected", "should_trigger").value
    if isinstance(wanted, bool):
        yield Trigger(inputs.at("prompt"), prompt, wanted, skill)
    yield from leftovers(entry, {*TASK, *(("expected",) if entry.text("expected") else ())}, REASONS)
    if inputs is not entry:
        yield from leftovers(inputs, {"prompt", "files"})
    expectations, checks, notes = sorted_out((*expected(entry.at("expected")), *graded(entry)))
    yield from notes
    if entry.at("enabled").value is False:
        yield invalid(entry, "is switched off by `enabled`, and left out")
        return
    yield Task(
        entry,
        entry.at("id").value,
        prompt,
        entry.text("expected") or entry.text("description"),
        (*expectations, *suite.expectations),
        (*checks, *suite.checks),
        tuple(_inputs(entry, suite.root.document.path.parent)),
        skill,
    )


def _inputs(entry: Entry, folder: Path) -> Iterator[Input]:
    """The files of a task lie in fixtures/, or in the folder that `context_dir` names, beside the suite."""
    home = folder / (entry.text("context_dir") or "fixtures")
    for each in entry.entries("inputs", "files"):
        path, content = each.text("path") or each.text(), each.at("content").value
        if path:
            text = content if isinstance(content, str) else ""
            yield Input(each, path, None if text else home / path, folder, text)


IMPORTER = Importer("waza", __doc__, recognises, read)
