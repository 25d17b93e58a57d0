"""What a judge's answer says, where it is one: nothing is guessed from an answer that isn't."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

MAX_CHARS = 128 * 1024
"""A longer answer isn't looked at."""


class Judgement(NamedTuple):
    """Whether an expectation was met, with the evidence that the judge names; `text` is the case's."""

    text: str
    passed: bool
    evidence: str


class UnusableError(Exception):
    """The answer is no verdict; the message says why."""


def verdict(answer: str, expectations: Sequence[str], prompt: str, fence: str) -> tuple[Judgement, ...]:
    """One judgement for each expectation, in the case's order; totals that the answer names are not looked at.

    The answer is one JSON object with `expectations`, in any prose or code fence. Its entries are told apart by `id`,
    from 1; where none has one, by position. Raises UnusableError for anything else, and for an answer that repeats the
    prompt or what stands in it: such an answer is the agent's, not the judge's.
    """
    _require(len(answer) <= MAX_CHARS, f"the answer has {len(answer):,} characters, more than {MAX_CHARS:,}")
    _require(fence not in answer, "the answer repeats the prompt")
    entries = _entries(answer, prompt)
    wanted = len(expectations)
    _require(len(entries) == wanted, f"the answer has {len(entries)} entries for {wanted} expectations")
    ordered = _by_id(entries) if any("id" in entry for entry in entries) else _by_position(entries, expectations)
    return tuple(_judgement(text, entry) for text, entry in zip(expectations, ordered, strict=True))


def _require(holds: bool, reason: str) -> None:  # noqa: FBT001 - a condition is what it says
    if not holds:
        raise UnusableError(reason)


def _entries(answer: str, prompt: str) -> list[Mapping[str, Any]]:
    found = [(value["expectations"], source) for value, source in _objects(answer) if "expectations" in value]
    _require(bool(found), 'the answer holds no JSON object with "expectations"')
    entries: Any = found[0][0]
    _require(
        all(other == entries for other, _ in found),
        'the answer holds several objects with "expectations" that differ',
    )
    _require(
        all(source not in prompt for _, source in found), "the answer is copied from the data that was to be judged"
    )
    _require(
        isinstance(entries, list) and all(isinstance(entry, dict) for entry in entries),
        '"expectations" in the answer is no list of objects',
    )
    return list(entries)


def _objects(text: str) -> Iterator[tuple[Mapping[str, Any], str]]:
    """The JSON objects of a text, each with its source; a brace that begins none is prose."""
    decoder = json.JSONDecoder(parse_constant=_refuse_constant, object_pairs_hook=_unrepeated)
    at = text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except RecursionError:
            reason = "the answer is nested too deeply"
            raise UnusableError(reason) from None
        except ValueError:
            end = at + 1
        else:
            yield value, text[at:end]
        at = text.find("{", end)


def _refuse_constant(name: str) -> NoReturn:
    reason = f"the answer holds {name}, which is no JSON"
    raise UnusableError(reason)


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    _require(len(found) == len(pairs), "an object in the answer has a key twice")
    return found


def _by_id(entries: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    by_id = {entry.get("id"): entry for entry in entries if type(entry.get("id")) is int}
    wanted = range(1, len(entries) + 1)
    given = json.dumps([entry.get("id") for entry in entries])
    _require(by_id.keys() == set(wanted), f"the ids in the answer are {given}, not 1 to {len(entries)}, each once")
    return [by_id[number] for number in wanted]


def _by_position(entries: Sequence[Mapping[str, Any]], expectations: Sequence[str]) -> Sequence[Mapping[str, Any]]:
    """The entries as they are, unless a text shows that the order is another."""
    others = [entry.get("text") for entry, own in zip(entries, expectations, strict=True) if entry.get("text") != own]
    texts = [text for text in others if isinstance(text, str)]
    _require(
        len(set(texts)) == len(texts) and set(texts).isdisjoint(expectations),
        "the texts in the answer are repeated, or in another order than the expectations",
    )
    return entries


def _judgement(text: str, entry: Mapping[str, Any]) -> Judgement:
    passed, evidence = entry.get("passed"), entry.get("evidence")
    _require(isinstance(passed, bool), f'"passed" in the answer is {json.dumps(passed)}, neither true nor false')
    _require(isinstance(evidence, str) and bool(evidence.strip()), '"evidence" in the answer is missing or blank')
    return Judgement(text, bool(passed), str(evidence))
