"""The contract of an exporter: our results for another tool. Every other file here is one and ends in EXPORTER."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from skillcheck import registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from skillcheck.evals.store.record import Record
    from skillcheck.evals.store.store import Kept, Stored


class Run(NamedTuple):
    """A stored run: its trials, what else is kept of one, and what is known of its evals and studies.

    `prompt` gives the task of a trial as today's case file has it, empty where it has none. `statistics` are ours, by
    skill, as plain JSON.
    """

    trials: Sequence[Stored]
    kept: Callable[[Stored], Kept]
    prompt: Callable[[Record], str]
    statistics: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Exporter:
    """One format: `files(run)` yields posix paths below the target folder, and what to write there."""

    name: str
    doc: str | None
    files: Callable[[Run], Iterator[tuple[str, bytes]]]


def exporter_names() -> tuple[str, ...]:
    """The names of all exporters; none is loaded."""
    return registry.names(__name__)


def named(name: str) -> Exporter:
    """The exporter of a name, ours or a plug-in's. Raises UsageError for an unknown one."""
    return registry.named(__name__, name, "EXPORTER", Exporter, "exporter")
