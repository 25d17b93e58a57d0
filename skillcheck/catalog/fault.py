"""What a reader finds wrong while it reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from skillcheck.diagnostic import Problem


class Fault(NamedTuple):
    """A problem that belongs to the rule named `rule`; the rule holds its manual and severity."""

    rule: str
    problem: Problem
