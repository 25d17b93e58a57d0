"""What a reader finds wrong while it reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from skillcheck.diagnostic import Problem


@dataclass(frozen=True, slots=True)
class Fault:
    """A problem that belongs to the rule named `rule`; the rule holds its manual and severity."""

    rule: str
    problem: Problem
