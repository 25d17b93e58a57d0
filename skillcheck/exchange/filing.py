"""What was found in sources as case files and fixtures: planned first, then written."""

from __future__ import annotations

import json
import os
import posixpath
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from skillcheck import schemas
from skillcheck.catalog import cases
from skillcheck.catalog.fault import Fault
from skillcheck.catalog.load import read_text
from skillcheck.catalog.prompts import normal, quoted
from skillcheck.diagnostic import clipped
from skillcheck.evals.plan import checks
from skillcheck.exchange.fixtures import Fixtures, fault, is_too_long
from skillcheck.exchange.importer import Note, Task, Trigger, dropped, invalid, restated
from skillcheck.replace import replace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

MAX_CASE_BYTES = 64 << 20
MAX_ID = 100
_UNFIT = re.compile(r"[/\\\x00-\x1f]+")


@dataclass(slots=True)
class Filing:
    """Case files in the making, below `folder`, by skill. `notes` tell what couldn't be filed or was changed.

    `given` are the ids that stand in the sources, of which none is made up for an eval without one.
    """

    folder: Path
    fixtures: Fixtures
    given: frozenset[str] = frozenset()
    files: dict[str, dict[str, Any]] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    ids: dict[str, set[str]] = field(default_factory=dict)
    tasks: dict[str, set[str]] = field(default_factory=dict)
    prompts: dict[str, set[str]] = field(default_factory=dict)
    changed: set[str] = field(default_factory=set)
    broken: set[str] = field(default_factory=set)
    evals: int = 0
    triggers: int = 0

    def add(self, found: Task | Trigger, skill: str) -> None:
        """File a task or a prompt for a skill; what stands there already stays as it is."""
        if not skill or _UNFIT.search(skill) or skill in {".", ".."} or is_too_long(f"{skill}.json"):
            what = f"names the skill {clipped(skill)!r}, which can't be a file's name" if skill else "names no skill"
            self.notes.append(invalid(found.entry.document.root, f"{what}; --skill names one"))
        elif self._opened(skill, found):
            if isinstance(found, Trigger):
                self._prompt(found, skill)
            else:
                self._task(found, skill)

    def write(self) -> tuple[Path, ...]:
        """Write everything; returns the case files. Raises UsageError where that can't be."""
        self.fixtures.write()
        written = {self.folder / f"{skill}.json": self.files[skill] for skill in sorted(self.changed)}
        for path, data in written.items():
            replace(path, json.dumps(data, indent=2, ensure_ascii=False) + "\n")
        return tuple(written)

    def _opened(self, skill: str, found: Task | Trigger) -> bool:
        """Whether a skill's case file can be added to; one that can't is told once."""
        if skill in self.files or skill in self.broken:
            return skill in self.files
        path = self.folder / f"{skill}.json"
        data: dict[str, Any] | None = {"skill_name": skill}
        if os.path.lexists(path):
            data = _existing(path)
        if data is None:
            self.broken.add(skill)
            message = f"can't be added to {path.name}, which no case file can be read from"
            self.notes.append(invalid(found.entry, message))
            return False
        self.files[skill] = data
        evals = [each for each in data.get("evals", ()) if isinstance(each, dict)]
        self.ids[skill] = {str(each.get("id")) for each in evals}
        self.tasks[skill] = {normal(str(each.get("prompt"))) for each in evals}
        trigger = data.get("trigger", {})
        there = (*trigger.get("positive", ()), *trigger.get("negative", ()))
        self.prompts[skill] = {normal(str(each.get("prompt"))) for each in there if isinstance(each, dict)}
        return True

    def _prompt(self, found: Trigger, skill: str) -> None:
        if normal(found.prompt) in self.prompts[skill]:
            message = f"prompt {quoted(found.prompt)} is among those of {skill!r} already, and left out"
            self.notes.append(Note(found.entry, "repeated-entry", message))
            return
        self.prompts[skill].add(normal(found.prompt))
        trigger = self.files[skill].setdefault("trigger", {})
        trigger.setdefault("positive" if found.wanted else "negative", []).append({"prompt": found.prompt})
        self.changed.add(skill)
        self.triggers += 1

    def _task(self, task: Task, skill: str) -> None:
        ident = self._id(task, skill)
        if str(ident) in self.ids[skill] or (_is_unnamed(task) and normal(task.prompt) in self.tasks[skill]):
            what = quoted(task.prompt) if _is_unnamed(task) else repr(ident)
            message = f"eval {what} is among those of {skill!r} already, and left out"
            self.notes.append(Note(task.entry.at("id"), "repeated-entry", message))
            return
        entry = self._entry(task, ident, skill)
        if entry is None:
            self.notes.append(dropped(task.entry, "nothing is left to judge it by"))
            return
        wrong = schemas.problems_of("cases", "eval", entry)
        if wrong:
            self.notes.append(invalid(task.entry, wrong[0]))
            return
        self.ids[skill].add(str(ident))
        self.tasks[skill].add(normal(task.prompt))
        self.files[skill].setdefault("evals", []).append(entry)
        self.changed.add(skill)
        self.evals += 1

    def _id(self, task: Task, skill: str) -> int | str:
        """The id as it is given; one that can't be a folder's name is changed, and one that isn't there is a number."""
        given = task.id
        if isinstance(given, int) and not isinstance(given, bool) and given >= 0:
            return given
        if _is_unnamed(task):
            taken = self.given | self.ids[skill]
            return next(n for n in range(len(self.ids[skill]) + 1, 1 << 30) if str(n) not in taken)
        plain = _UNFIT.sub("-", str(given))[:MAX_ID]
        plain = plain if plain.strip(".") else f"eval-{plain}"
        if plain != given:
            self.notes.append(restated(task.entry.at("id"), f"{plain!r}, since results are stored under it"))
        return plain

    def _entry(self, task: Task, ident: int | str, skill: str) -> dict[str, Any] | None:
        files, refused = self._inputs(task, skill)
        known = tuple(self._checks(task))
        expectations = list(task.expectations)
        if not expectations and not known:
            if not task.expected_output:
                return None
            expectations = [task.expected_output]
            form = "the one expectation of its eval, which has no assertions"
            self.notes.append(restated(task.entry.at("expected_output"), form))
        waits = refused or task.lacks
        return {
            "id": ident,
            **({} if files or waits else {"kind": "dialogue"}),
            "prompt": task.prompt,
            "expected_output": task.expected_output,
            **({"files": files} if files else {}),
            **({"checks": list(known)} if known else {}),
            **({"expectations": expectations} if expectations else {}),
            **({"trust_level": "provisional"} if waits else {}),
        }

    def _checks(self, task: Task) -> Iterator[Mapping[str, Any]]:
        """The checks that a grader of ours takes."""
        for check in task.checks:
            wrong = checks.problems(check)
            if wrong:
                reason = f"as a {check['type']} check: {wrong[0].message}"
                self.notes.append(dropped(task.entry, reason))
            else:
                yield check

    def _inputs(self, task: Task, skill: str) -> tuple[list[str], bool]:
        """The places of a task's files, and whether one can't be had: what is missing keeps its place, to be filled."""
        found: dict[str, None] = {}
        faults = [fault(each) for each in task.inputs]
        self.notes += filter(None, faults)
        for each, wrong in zip(task.inputs, faults, strict=True):
            if wrong and wrong.rule == "escaping-file":
                continue
            name = posixpath.normpath(each.path) if wrong else self.fixtures.place(each, skill)
            found[name] = None
            if name != posixpath.normpath(each.path):
                self.notes.append(restated(each.entry, f"{name!r}, since another file has the place {each.path!r}"))
        return list(found), any(faults)


def _is_unnamed(task: Task) -> bool:
    return task.id is None or task.id == ""


def _existing(path: Path) -> dict[str, Any] | None:
    """A case file that entries can be added to without losing any; None if it isn't one."""
    text = read_text(path, MAX_CASE_BYTES)
    if isinstance(text, Fault):
        return None
    located = cases.parse(path, path.name, text).located
    data = located.value
    lists = (("evals", list), ("trigger", dict))
    if not isinstance(data, dict) or located.duplicates:
        return None
    trigger = data.get("trigger", {})
    sound = all(isinstance(data.get(key, kind()), kind) for key, kind in lists)
    return data if sound and all(isinstance(trigger.get(k, []), list) for k in ("positive", "negative")) else None
