"""skillgrade's eval.yaml: tasks with an instruction, files of the workspace, and graders.

`llm_rubric` becomes an expectation. `deterministic` runs a command whose rewards are weighed against others, with
scripts that lie in the source's folder: it is told, and left for you to write as a `script` check.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.exchange.importer import (
    Asserted,
    Found,
    Importer,
    Input,
    Note,
    Task,
    dropped,
    invalid,
    leftovers,
    prompt_of,
    sorted_out,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.exchange.document import Document, Entry

REASONS = {
    "defaults": "agents, trials and limits are options of `skillcheck behavioral`",
    "weight": "every verdict counts the same",
}


def recognises(document: Document) -> bool:
    """An object with a list `tasks` in which something has an `instruction`."""
    return any("instruction" in task.keys for task in document.root.entries("tasks"))


def read(document: Document) -> Iterator[Found]:
    """Read every task."""
    yield from leftovers(document.root, {"version", "tasks", "skill"}, REASONS)
    for entry in document.root.entries("tasks"):
        prompt = prompt_of(entry, "instruction")
        if isinstance(prompt, Note):
            yield prompt
            continue
        expectations, checks, notes = sorted_out(_graded(entry))
        inputs, about_files = _workspace(entry)
        yield from leftovers(entry, {"name", "instruction", "workspace", "graders"}, REASONS)
        yield from (*notes, *about_files)
        yield Task(
            entry, entry.text("name") or None, prompt, "", expectations, checks, inputs, lacks=_lacks(about_files)
        )


def _lacks(notes: tuple[Note, ...]) -> bool:
    return any(note.entry.path[-1] != "chmod" for note in notes)


def _graded(entry: Entry) -> Iterator[Asserted]:
    for grader in entry.entries("graders"):
        kind = grader.text("type")
        if kind == "llm_rubric" and grader.text("rubric"):
            yield grader.text("rubric")
            yield from leftovers(grader, {"type", "rubric"}, REASONS)
        elif kind == "deterministic":
            yield dropped(grader, "its command belongs to the source's folder", "write it as a `script` check")
        else:
            yield dropped(grader, f"a grader of the type {kind!r} has no counterpart")


def _workspace(entry: Entry) -> tuple[tuple[Input, ...], tuple[Note, ...]]:
    inputs, notes = [], []
    for each in entry.entries("workspace"):
        source, target = each.text("src"), each.text("dest")
        home = each.document.path.parent
        if not source:
            notes.append(invalid(each, "has no 'src'"))
        elif target.startswith(("/", "~")):
            notes.append(dropped(each.at("dest"), f"{target!r} lies outside of the workspace"))
        else:
            inputs.append(Input(each.at("src"), target or source, home / source, home))
            notes += leftovers(each, {"src", "dest"}, {"chmod": "a fixture has the mode that git keeps of it"})
    return tuple(inputs), tuple(notes)


IMPORTER = Importer("skillgrade", __doc__, recognises, read)
