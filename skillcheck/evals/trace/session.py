"""Read a stream record by record, with what must be remembered in between."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from skillcheck.evals.trace.trace import Malformed, json_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from skillcheck.evals.trace.trace import Event, Record


class Session(Protocol):
    """One stream's reader."""

    def read(self, record: Record) -> Iterator[Event]:
        """What a record says; nothing for one of an unknown kind.

        Raises LookupError, TypeError or AttributeError for one that has not the shape of its kind.
        """

    def rest(self) -> Iterator[Event]:
        """What is left to say after the last record."""


def parser(begin: Callable[[], Session]) -> Callable[[Iterable[bytes]], Iterator[Event]]:
    """Make a parser of sessions. A record of another shape, as other versions may write, is counted, never fatal."""

    def events(records: Iterable[Record]) -> Iterator[Event]:
        session = begin()
        for record in records:
            try:
                yield from session.read(record)
            except (LookupError, TypeError, AttributeError):
                yield Malformed(1)
        yield from session.rest()

    return json_lines(events)
