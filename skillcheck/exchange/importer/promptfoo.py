"""promptfoo's configuration: prompt templates, and tests with variables and assertions.

Every prompt is filled in with the variables of every test. Only plain `{{name}}` is: what else the template language
knows would have to be run.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from skillcheck.exchange.importer import (
    Asserted,
    Found,
    Importer,
    Task,
    dropped,
    invalid,
    leftovers,
    sorted_out,
)
from skillcheck.exchange.wording import about_answer, any_of, plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from skillcheck.exchange.document import Document, Entry

ABOUT_ANSWER = {
    "equals": "equals", "contains": "contains", "not-contains": "lacks", "icontains": "contains, in any case",
    "not-icontains": "lacks, in any case", "regex": "matches", "not-regex": "lacks match", "starts-with": "begins",
    "contains-all": "contains",
}  # fmt: skip
"""The assertions on an answer that sentences say, by type."""
REASONS = {
    "providers": "the agent is chosen by `skillcheck behavioral --harness`",
    "targets": "the agent is chosen by `skillcheck behavioral --harness`",
}
_VARIABLE = re.compile(r"\{\{\s*([\w.-]+)\s*\}\}")
_TEMPLATE = re.compile(r"\{[{%#]")


def recognises(document: Document) -> bool:
    """An object with `prompts`, and with tests or what they are put to."""
    return "prompts" in document.root.keys and not {"tests", "providers", "targets"}.isdisjoint(document.root.keys)


def read(document: Document) -> Iterator[Found]:
    """Fill in every prompt for every test."""
    root = document.root
    yield from leftovers(root, {"description", "prompts", "tests", "defaultTest", "$schema"}, REASONS)
    prompts = []
    for entry in root.entries("prompts"):
        template = entry.text() or entry.text("raw")
        if template and not template.startswith("file://"):
            prompts.append(template)
        else:
            yield dropped(entry, "its text doesn't stand in this file")
    default = root.at("defaultTest")
    asserted, checks, notes = sorted_out(_asserted(default))
    yield from (*leftovers(default, {"vars", "assert"}), *notes)
    for number, test in enumerate(root.entries("tests"), 1):
        if not isinstance(test.value, dict):
            yield dropped(test, "its tests don't stand in this file")
            continue
        own, own_checks, notes = sorted_out(_asserted(test))
        yield from (*leftovers(test, {"description", "vars", "assert"}), *notes)
        for which, prompt in enumerate(prompts, 1):
            text = _filled(prompt, {**_variables(default), **_variables(test)})
            if text is None:
                yield invalid(test, "is left out: its prompt can't be filled in without running the template")
                continue
            ident = number if len(prompts) == 1 else f"{number}-{which}"
            yield Task(test, ident, text, test.text("description"), (*asserted, *own), (*checks, *own_checks))


def _variables(test: Entry) -> Mapping[str, Any]:
    value = test.at("vars").value
    return value if isinstance(value, dict) else {}


def _filled(template: str, variables: Mapping[str, Any]) -> str | None:
    """The prompt, or None where something in it is more than the name of a plain value."""
    used = set(_VARIABLE.findall(template))
    plain_ones = {name for name in used if isinstance(variables.get(name), str | int | float)}
    values = [str(variables[name]) for name in plain_ones]
    if used - plain_ones or _TEMPLATE.search(_VARIABLE.sub("", template)) or any(map(_is_elsewhere, values)):
        return None
    return _VARIABLE.sub(lambda match: str(variables[match[1]]), template)


def _is_elsewhere(value: str) -> bool:
    return value.startswith("file://") or bool(_TEMPLATE.search(value))


def _asserted(test: Entry) -> Iterator[Asserted]:
    for entry in test.entries("assert"):
        yield from _assertion(entry)


def _assertion(entry: Entry) -> Iterator[Asserted]:
    kind, value = entry.text("type"), entry.at("value")
    values: Iterable[Entry] = tuple(entry.entries("value"))
    if any(isinstance(each.value, str) and _TEMPLATE.search(each.value) for each in values):
        yield dropped(entry, "its value is a template")
        return
    if kind in ABOUT_ANSWER:
        yield from about_answer(ABOUT_ANSWER[kind], values)
    elif kind == "contains-any":
        yield from any_of(values)
    elif kind == "llm-rubric":
        yield from plain(values)
    elif kind == "skill-used" and value.text():
        yield {"type": "skill-used", "name": value.text()}
    elif kind == "trajectory:tool-used" and value.text():
        yield {"type": "tool-used", "tool": value.text()}
    else:
        yield dropped(entry, f"an assertion of the type {kind!r} has no counterpart")
        return
    yield from leftovers(entry, {"type", "value"})


IMPORTER = Importer("promptfoo", __doc__, recognises, read)
