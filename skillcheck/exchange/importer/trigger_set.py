"""A list of prompts that say whether they should trigger the skill, as skill-creator's description optimiser reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.exchange.importer import Found, Importer, Note, Trigger, invalid, leftovers, prompt_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.exchange.document import Document


def recognises(document: Document) -> bool:
    """A list in which something has a `should_trigger`."""
    value = document.root.value
    return isinstance(value, list) and any(isinstance(each, dict) and "should_trigger" in each for each in value)


def read(document: Document) -> Iterator[Found]:
    """Read every prompt, under `query` or `prompt`."""
    for entry in document.root.entries():
        key = "query" if "query" in entry.keys else "prompt"
        prompt = prompt_of(entry, key)
        wanted = entry.at("should_trigger")
        if isinstance(prompt, Note):
            yield prompt
        elif not isinstance(wanted.value, bool):
            yield invalid(wanted, "is neither true nor false")
        else:
            yield from leftovers(entry, {key, "should_trigger"})
            yield Trigger(entry.at(key), prompt, wanted.value)


IMPORTER = Importer("trigger-set", __doc__, recognises, read)
