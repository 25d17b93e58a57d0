"""What waza's graders say, in our terms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.exchange.importer import Asserted, dropped, leftovers
from skillcheck.exchange.wording import about_answer, any_of, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from skillcheck.exchange.document import Entry

REASONS = {
    "weight": "every verdict counts the same",
    "max_tool_calls": "no check counts all calls",
    "max_tokens": "no check counts tokens; reports do",
    "max_duration_ms": "no check measures time; reports do",
    "max_response_time_ms": "no check measures time; reports do",
    "outcomes": "that a task was completed is what everything else is judged for",
}
ANSWER = {
    "contains": "contains, in any case", "not_contains": "lacks, in any case", "contains_cs": "contains",
    "not_contains_cs": "lacks", "regex_match": "matches", "regex_not_match": "lacks match", "must_contain": "contains",
    "must_not_contain": "lacks",
}  # fmt: skip
"""What the graders `text` and `keyword` assert of an answer, by key."""
IN_ORDER, LEAST_ORDERED = "in_order_match", 2


def graded(entry: Entry) -> Iterator[Asserted]:
    """What the graders of a suite or a task assert."""
    for key in ("graders", "validators"):
        for grader in entry.entries(key):
            kind = grader.text("type")
            if kind not in _KINDS:
                yield dropped(grader, f"a grader of the type {kind!r} has no counterpart")
                continue
            yield from _KINDS[kind](grader.at("config"))
            yield from leftovers(grader, {"type", "name", "config"}, REASONS)


def expected(entry: Entry) -> Iterator[Asserted]:
    """What stands under a task's `expected`."""
    yield from about_answer("contains, in any case", entry.entries("output_contains"))
    yield from about_answer("lacks, in any case", entry.entries("output_not_contains"))
    yield from any_of(entry.entries("output_contains_any"))
    yield from _behavior(entry.at("behavior"))
    known = {"output_contains", "output_not_contains", "output_contains_any", "behavior", "should_trigger"}
    yield from leftovers(entry, known, REASONS)


def _text(config: Entry) -> Iterator[Asserted]:
    for key, sentence in ANSWER.items():
        yield from about_answer(sentence, config.entries(key))
    yield from leftovers(config, ANSWER, REASONS)


def _prompt(config: Entry) -> Iterator[Asserted]:
    yield from plain(config.entries("prompt"))
    yield from leftovers(config, {"prompt"}, {"model": "the judge is chosen by --grader-model"})


def _file(config: Entry) -> Iterator[Asserted]:
    for key, check in (("must_exist", "file-exists"), ("must_not_exist", "file-absent")):
        yield from ({"type": check, "path": each.text()} for each in config.entries(key))
    for pattern in config.entries("content_patterns"):
        of_path = {"type": "file-contains", "path": pattern.text("path")}
        yield from ({**of_path, "regex": each.text()} for each in pattern.entries("must_match"))
        yield from ({**of_path, "regex": each.text(), "not": True} for each in pattern.entries("must_not_match"))
        yield from leftovers(pattern, {"path", "must_match", "must_not_match"})
    yield from leftovers(config, {"must_exist", "must_not_exist", "content_patterns"})


def _behavior(config: Entry) -> Iterator[Asserted]:
    yield from ({"type": "tool-used", "tool": each.text()} for each in config.entries("required_tools"))
    yield from ({"type": "tool-used", "tool": each.text(), "max": 0} for each in config.entries("forbidden_tools"))
    yield from leftovers(config, {"required_tools", "forbidden_tools"}, REASONS)


def _constraint(config: Entry) -> Iterator[Asserted]:
    for key, more in (("expect_tools", {}), ("reject_tools", {"max": 0})):
        for each in config.entries(key):
            name = each.text() or each.text("tool")
            yield {"type": "tool-used", "tool": name, **more} if name else dropped(each, "it names no tool")
            yield from leftovers(each, {"tool"})
    yield from leftovers(config, {"expect_tools", "reject_tools"})


def _sequence(config: Entry) -> Iterator[Asserted]:
    mode, tools = config.text("matching_mode"), [each.text() for each in config.entries("expected_actions")]
    if mode == IN_ORDER and len(tools) >= LEAST_ORDERED:
        yield {"type": "tool-order", "tools": tools}
    else:
        yield from ({"type": "tool-used", "tool": tool} for tool in dict.fromkeys(tools))
        if mode == "exact_match":
            yield dropped(config.at("matching_mode"), "no check forbids other calls between; the tools are checked")
    yield from leftovers(config, {"matching_mode", "expected_actions"})


def _skills(config: Entry) -> Iterator[Asserted]:
    yield from ({"type": "skill-used", "name": each.text()} for each in config.entries("required_skills"))
    if config.text("mode") != "any_order":
        yield dropped(config.at("mode"), "no check looks at the order of skills; that they were used is checked")
    if config.at("allow_extra").value is False:
        yield dropped(config.at("allow_extra"), "no check forbids other skills")
    yield from leftovers(config, {"mode", "required_skills", "allow_extra"})


_KINDS: Mapping[str, Callable[[Entry], Iterator[Asserted]]] = {
    "text": _text,
    "keyword": _text,
    "regex": _text,
    "prompt": _prompt,
    "file": _file,
    "behavior": _behavior,
    "tool_constraint": _constraint,
    "action_sequence": _sequence,
    "skill_invocation": _skills,
}
