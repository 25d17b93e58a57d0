"""Assertions on an answer as expectations, since our checks look at files and calls: a model judges them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.exchange.importer import Note, invalid, restated

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from skillcheck.exchange.document import Entry

FORM = "an expectation: no check looks at what the agent said, so a model judges it"
SENTENCES: Mapping[str, str] = {
    "equals": "The answer is exactly {}",
    "contains": "The answer contains {}",
    "lacks": "The answer does not contain {}",
    "contains, in any case": "The answer contains {}, in upper or lower case",
    "lacks, in any case": "The answer does not contain {}, neither in upper nor in lower case",
    "matches": "The answer has a part that the regular expression {} matches",
    "lacks match": "The answer has no part that the regular expression {} matches",
    "begins": "The answer begins with {}",
}
"""By what is asserted of the answer; the text stands at the braces, quoted."""


def _verbatim(text: str) -> str:
    """A text in quotes, as it is: a judge takes every backslash for one."""
    return f'"{text}"' if "'" in text else f"'{text}'"


def about_answer(sentence: str, texts: Iterable[Entry]) -> Iterator[str | Note]:
    """One expectation for each text, and the note that it is one."""
    for entry in texts:
        if isinstance(entry.value, str | int | float) and not isinstance(entry.value, bool) and entry.value != "":
            yield SENTENCES[sentence].format(_verbatim(str(entry.value)))
            yield restated(entry, FORM)
        else:
            yield invalid(entry, "is no text")


def any_of(texts: Iterable[Entry]) -> Iterator[str | Note]:
    """One expectation that any of the texts meets."""
    known = [entry for entry in texts if isinstance(entry.value, str) and entry.value]
    if known:
        yield f"The answer contains at least one of {', '.join(_verbatim(entry.value) for entry in known)}"
        yield restated(known[0], FORM)


def plain(entries: Iterable[Entry]) -> Iterator[str | Note]:
    """Expectations that are texts already."""
    for entry in entries:
        yield entry.text() or invalid(entry, "is no text")
