"""The evals.json of skill-creator and agentskills.io: `evals` with a prompt each.

Ids may be numbers or texts, assertions stand under `expectations`, `assertions` or `scorers`, as texts or objects, or
only `expected_output` says what is wanted. The list may stand without its object. An eval may name its own `skill`, so
that one file is a suite over several. `files` are relative to the skill's folder.
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
    Trigger,
    dropped,
    invalid,
    leftovers,
    prompt_of,
    sorted_out,
)
from skillcheck.exchange.wording import about_answer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from skillcheck.exchange.document import Document, Entry

HEAD = {"skill_name", "evals", "schema_version", "version", "description", "$schema"}
KNOWN = {
    "id", "skill", "prompt", "expected_output", "files", "expectations", "assertions", "scorers", "should_trigger",
    "expected_skill",
}  # fmt: skip
JUDGED = {"expected_output", "expectations", "assertions", "scorers"}
WORDINGS = ("check", "text", "description", "assertion", "expectation", "criterion")
"""Where an assertion that is an object says what it asserts; its name is the last resort."""
PARTS = {"SKILL.md", "references", "scripts", "assets"}
"""What belongs to a skill by the standard: its agent has it, and an agent without the skill must not."""


def recognises(document: Document) -> bool:
    """An object with a list `evals`, and no `trigger`, which is a case file of ours; or the list by itself."""
    value = document.root.value
    if isinstance(value, list):
        keys = [set(entry.keys) for entry in document.root.entries()]
        return any("prompt" in each and each & JUDGED for each in keys) and not any("should_trigger" in e for e in keys)
    return isinstance(value, dict) and isinstance(value.get("evals"), list) and "trigger" not in value


def read(document: Document) -> Iterator[Found]:
    """Read every eval of the suite."""
    root = document.root
    yield from leftovers(root, HEAD)
    for entry in root.entries() if isinstance(root.value, list) else root.entries("evals"):
        prompt = prompt_of(entry)
        if isinstance(prompt, Note):
            yield prompt
        else:
            yield from _eval(entry, prompt, entry.text("skill").rpartition("/")[2] or root.text("skill_name"))


def _eval(entry: Entry, prompt: str, skill: str) -> Iterator[Found]:
    wanted = entry.at("should_trigger").value
    if isinstance(wanted, bool):
        yield Trigger(entry.at("prompt"), prompt, wanted, skill)
    expectations, checks, notes = sorted_out(_assertions(entry, skill))
    inputs, about_files = _files(entry)
    yield from leftovers(entry, KNOWN)
    yield from (*notes, *about_files)
    output = entry.text("expected_output")
    if expectations or checks or output or not isinstance(wanted, bool):
        yield Task(entry, entry.at("id").value, prompt, output, expectations, checks, inputs, skill)


def _assertions(entry: Entry, skill: str) -> Iterator[Asserted]:
    for key in ("expectations", "assertions"):
        for each in entry.entries(key):
            yield from _assertion(each)
    for scorer in entry.entries("scorers"):
        yield from _scorer(scorer)
    expected = entry.text("expected_skill")
    if expected:
        yield {"type": "skill-used", **({} if expected == skill else {"name": expected})}


def _assertion(entry: Entry) -> Iterator[Asserted]:
    if not isinstance(entry.value, dict):
        yield entry.text() or invalid(entry, "is no text")
        return
    key = next((key for key in (*WORDINGS, "name") if entry.text(key)), "")
    yield entry.text(key) if key else invalid(entry, f"says nothing under {', '.join(WORDINGS)} or name")
    yield from leftovers(entry, {key, "name"})


def _scorer(entry: Entry) -> Iterator[Asserted]:
    kind = entry.text("type")
    if kind == "regex":
        yield from about_answer("matches", [entry.at("pattern")])
    elif kind == "llm_judge" and entry.text("criterion"):
        yield entry.text("criterion")
    else:
        yield dropped(entry, f"a scorer of the type {kind!r} has no counterpart")


def _files(entry: Entry) -> tuple[tuple[Input, ...], tuple[Note, ...]]:
    inputs, notes = [], []
    for each in entry.entries("files"):
        path = each.text()
        if not path:
            notes.append(invalid(each, "is no text"))
        elif path.removeprefix("./").partition("/")[0] in PARTS:
            notes.append(dropped(each, "it is a part of the skill, which the agent is given anyway"))
        else:
            inputs.append(input_of(each, path))
    return tuple(inputs), tuple(notes)


def input_of(entry: Entry, path: str) -> Input:
    """A file by its path from the skill's folder, or from that of the document where it stands there."""
    folder = entry.document.path.parent
    home = folder.parent if folder.name == "evals" else folder
    return Input(entry, path, _standing(path, home, folder), home)


def _standing(path: str, home: Path, folder: Path) -> Path:
    try:
        return next((place / path for place in (home, folder) if (place / path).exists()), home / path)
    except (OSError, ValueError):  # too long for a name, or with a NUL
        return home / path


IMPORTER = Importer("skill-creator", __doc__, recognises, read)
