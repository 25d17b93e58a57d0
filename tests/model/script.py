"""What the model server plays: turns, and what goes wrong in them. The same script serves every wire format."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

INPUT_TOKENS = 100
OUTPUT_TOKENS = 20
"""What every turn is said to have used."""


class Call(NamedTuple):
    """A tool call, by the name and with the input that the CLI's own tool has."""

    name: str
    input: Mapping[str, Any]


class Fault(NamedTuple):
    """What goes wrong the first `times` times that a turn is asked for (None: always).

    `kind` is `status` (refused with that status), `hang` (not a byte until the server ends), `drop` (the connection
    breaks half way), `malformed` (half way comes something that is no JSON) or `html` (200 and a web page).
    """

    kind: str
    status: int = 500
    times: int | None = None
    retry_after: int | None = None


class Turn(NamedTuple):
    """What the model says and calls; neither of both is an empty answer.

    It happens only where the request holds the text `told`, if one is given; else the model says DONE.
    """

    text: str = ""
    calls: tuple[Call, ...] = ()
    fault: Fault | None = None
    told: str = ""

    def failing(
        self, kind: str, status: int = 500, *, times: int | None = None, retry_after: int | None = None
    ) -> Turn:
        """This turn, with a fault in it."""
        return self._replace(fault=Fault(kind, status, times, retry_after))

    def where(self, told: str) -> Turn:
        """This turn, of a model that needs to be told something for it."""
        return self._replace(told=told)


class Script(NamedTuple):
    """A conversation.

    After the last turn the model says DONE, or with `repeat` does the last turn over and over. A request that offers no
    tool or one is no turn: a title, a probe, a judge. It gets `answer`, as JSON or as the input of its tool.
    """

    turns: tuple[Turn, ...] = ()
    repeat: bool = False
    answer: Mapping[str, Any] | None = None

    def turn(self, index: int, tools: list[str], request: str) -> tuple[Turn, str]:
        """The turn for a request with so many turns behind it and these tools, and a name for it."""
        if not tools:
            return Turn(json.dumps(self.answer or {})), "answer"
        if len(tools) == 1:
            return (call(tools[0], **self.answer or {}) if index == 0 else Turn("DONE")), "answer"
        if index < len(self.turns) and self.turns[index].told in request:
            return self.turns[index], f"turn {index}"
        if self.repeat:
            return self.turns[-1], "repeat"
        return Turn("DONE"), "done"


def say(text: str) -> Turn:
    """A turn that is only text."""
    return Turn(text)


def call(name: str, /, **arguments: Any) -> Turn:
    """A turn that calls one tool."""
    return Turn(calls=(Call(name, arguments),))


def halves(text: str) -> tuple[str, str]:
    """A text in two, as a stream brings it."""
    middle = (len(text) + 1) // 2
    return text[:middle], text[middle:]
