"""The scenario card of an eval: how hard it is, what it is an example of, and what shows that it was done."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Role = Literal["", "constraint", "acceptance", "explanation"]
"""What a verdict counts as beside being one; one on the agent's explanation decides nothing about the trial."""
CATEGORIES = ("basic", "advanced", "edge")
"""What an eval is an example of; `edge` is input that is missing, over-long or ambiguous."""
RUBRIC = "rubric"
"""The evidence of an acceptance item whose own text the judge grades."""
GRADES = (
    "The agent's last message says something of what was done, of problems or of where the results are",
    "The agent's last message says what was done, which problems there were if any, and where the results are",
)
"""What the judge is asked of an explanation: neither holds for a missing one, the first for a vague one, both for a
clear one. What the message says need not be true for that."""

_REFERENCE = re.compile(r"(checks|expectations)\[(\d{1,4})\]\Z")


class Statement(NamedTuple):
    """A text that the judge grades; `at` is its path from the eval."""

    text: str
    role: Role
    at: tuple[str | int, ...]


class Acceptance(NamedTuple):
    """What must be so at the end, with what shows it: `rubric`, or an entry as in `checks[0]`, `expectations[1]`."""

    text: str
    evidence: str

    @property
    def shown_by(self) -> tuple[str, int] | None:
        """The list and the index that the evidence names; None where it names none."""
        found = _REFERENCE.match(self.evidence)
        return (found[1], int(found[2])) if found else None


class Card(NamedTuple):
    """All of it is optional. `difficulty` is 1 to 5 and `category` one of CATEGORIES; 0 and empty mean not told.

    `constraints` are graded by the judge and must hold whatever comes of the task, as must checks that are marked.
    `judge_explanation`: the judge grades the agent's last message too.
    """

    difficulty: int = 0
    category: str = ""
    acceptance: tuple[Acceptance, ...] = ()
    constraints: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    judge_explanation: bool = False

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> Card:
        """From an eval of the right shape."""
        return cls(
            difficulty=int(entry.get("difficulty", 0)),
            category=entry.get("category", ""),
            acceptance=tuple(Acceptance(each["text"], each["evidence"]) for each in entry.get("acceptance", ())),
            constraints=tuple(entry.get("constraints", ())),
            tags=tuple(entry.get("tags", ())),
            judge_explanation=entry.get("judge_explanation", False),
        )

    def statements(self) -> Iterator[Statement]:
        """What the judge grades because of the card."""
        for index, text in enumerate(self.constraints):
            yield Statement(text, "constraint", ("constraints", index))
        for index, item in enumerate(self.acceptance):
            if item.evidence == RUBRIC:
                yield Statement(item.text, "acceptance", ("acceptance", index))
        for text in GRADES if self.judge_explanation else ():
            yield Statement(text, "explanation", ("judge_explanation",))


NO_CARD = Card()
"""That of an eval that has none."""
