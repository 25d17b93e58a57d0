"""What a run came to, for every harness: the first rule that holds names the class, one of `outcome.CLASSES`."""

from __future__ import annotations

import re
import signal
from typing import TYPE_CHECKING

from skillcheck.evals.trace.failure import failed
from skillcheck.evals.trace.outcome import NOT_OFFERED
from skillcheck.evals.trace.printed import last_line
from skillcheck.evals.trace.trace import Denied, Ended, Said, ToolCall, ToolResult, Trace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from skillcheck.evals.trace.trace import Event
    from skillcheck.process import Exit

_TAIL = 4096  # bytes of stderr that are looked at
_STATUS = re.compile(r"(?<!line )\b(40[1-4]|429|5\d\d)\b")
_SIGNS = {"overloaded": 529, "rate limit": 429, "rate_limit": 429, "too many requests": 429, "unauthorized": 401}
_TURNS = "Reached max session turns"  # Qwen Code says so on stderr alone
_SIGNALLED = 128  # a shell, or a sandbox, adds this to the number of the signal that ended what it ran


def classify(exited: Exit, trace: Trace, stderr: bytes, *, skill: str = "", asks_model: bool = True) -> Ended:
    """How a run ended, by the name of a class, and why in words.

    `skill` is the one that the agent should have been offered, empty where none need be; it is looked for only where
    the agent tells what it was offered. Without `asks_model` there is no server to blame.
    """
    tail = stderr[-_TAIL:].decode("utf-8", "replace").strip()
    return (
        _interrupted(exited)
        or _hindered(trace, skill)
        or _stopped(exited, trace)
        or _broken(exited, trace, tail, asks_model=asks_model)
        or _silent(trace)
        or trace.ended
        or _cut_off(exited, tail)
    )


def watch(events: Iterable[Event], limit: int = 5) -> str:
    """Why to stop an agent at once: `agent-loop`, or `failed` where it tells of a failure; empty at the end.

    It loops when it makes the same call more than `limit` times in a row: the same tool with the same input. Nested
    agents are watched each for itself. An agent that has failed and goes on would try for ever.
    """
    latest: dict[str, ToolCall] = {}
    times: dict[str, int] = {}
    for event in events:
        if isinstance(event, Ended) and event.how != "completed":
            return "failed"
        if isinstance(event, ToolCall):
            before = latest.get(event.agent)
            is_same = before is not None and (before.name, before.input) == (event.name, event.input)
            times[event.agent] = times[event.agent] + 1 if is_same else 1
            latest[event.agent] = event
            if times[event.agent] > limit:
                return "agent-loop"
    return ""


def _interrupted(exited: Exit) -> Ended | None:
    return Ended("interrupted", "the run was interrupted") if exited.stopped == "interrupted" else None


def _hindered(trace: Trace, skill: str) -> Ended | None:
    denied = next((event for event in trace.events if isinstance(event, Denied)), None)
    if denied:
        return Ended("harness-config", f"the agent was not allowed to use {denied.tool!r}{last_line(denied.reason)}")
    if skill and trace.skills is not None and skill not in trace.skills:
        return Ended(NOT_OFFERED, f"the agent was not offered the skill {skill!r}: it lists {_listed(trace.skills)}")
    return None


def _listed(skills: tuple[str, ...]) -> str:
    return ", ".join(skills) or "none"


def _stopped(exited: Exit, trace: Trace) -> Ended | None:
    if exited.stopped in {"wall", "idle"}:
        what = "the time was up" if exited.stopped == "wall" else "no more output came"
        running = _running(trace)
        if running:
            return Ended("agent-timeout", f"{what} after {exited.seconds:.0f} s, while {running.name!r} was running")
        return Ended("infra-timeout", f"{what} after {exited.seconds:.0f} s, while no tool was running")
    if exited.stopped == "agent-loop":
        return Ended("agent-loop", "the agent made the same call again and again")
    return trace.ended if exited.stopped else None


def _running(trace: Trace) -> ToolCall | None:
    """The first call without a result, save those that are nested agents at work: these wait for the model."""
    done = {event.id for event in trace.events if isinstance(event, ToolResult)}
    agents = {event.agent for event in trace.events if isinstance(event, ToolCall | Said)}
    return next((call for call in trace.calls if call.id not in done | agents), None)


def _broken(exited: Exit, trace: Trace, tail: str, *, asks_model: bool) -> Ended | None:
    """A status other than 0 counts where the agent doesn't itself tell of a failure."""
    if exited.status == 0 or (trace.ended and trace.ended.how != "completed"):
        return None
    name = _signal(exited.status)
    message = f"the agent {f'was killed by {name}' if name else f'ended with status {exited.status}'}{last_line(tail)}"
    if not asks_model:
        return Ended("harness-config", message)
    if name:
        return Ended("infra-protocol", message)
    if _TURNS in tail:
        return Ended("turn-limit", message)
    blamed = failed(tail, _status(tail)).how
    if blamed == "infra-protocol" and not _began(trace):
        return Ended("harness-config", message)
    return Ended(blamed, message)


def _began(trace: Trace) -> bool:
    """Whether there was any output; a program without a format of its own ends well even without any."""
    return trace.malformed > 0 or any(not isinstance(event, Ended) for event in trace.events)


def _silent(trace: Trace) -> Ended | None:
    """A model that was asked, and answered nothing at all."""
    if trace.usage and trace.ended and trace.ended.how == "completed" and not trace.said and not trace.calls:
        return Ended("infra-protocol", "the agent ended without a word and without a tool call")
    return None


def _cut_off(exited: Exit, tail: str) -> Ended:
    if exited.truncated:
        return Ended("infra-protocol", "the agent wrote more than is kept of its output, so that its result is lost")
    return Ended("infra-protocol", f"the agent's output ended before its result{last_line(tail)}")


def _status(tail: str) -> int | None:
    found, low = _STATUS.search(tail), tail.lower()
    return int(found[1]) if found else next((status for sign, status in _SIGNS.items() if sign in low), None)


def _signal(status: int) -> str:
    number = -status if status < 0 else status - _SIGNALLED
    return signal.Signals(number).name if number in set(signal.Signals) else ""
