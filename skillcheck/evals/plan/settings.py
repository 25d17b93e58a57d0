"""What a run of behavioral evals is asked to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

Delivery = Literal["native", "system-prompt"]
NO_JUDGE = "none"
"""Expectations are left unjudged, so that the deterministic checks alone count."""


class Settings(NamedTuple):
    """All durations are in seconds.

    `arms` are compared where there are several; delivery is native then. `judge` is the name of one, `none`, or empty:
    the first that can be used here. `evals` are ids, all if empty, and `tags` those of which an eval bears one; of
    these, `core` takes those that are marked so, and `sample` as many others, drawn by `seed`. `shard` is the part of
    what is left that is run, from 1, and of how many.
    `env` names further variables of the caller's that the agent gets; `options` are those of single harnesses.
    `max_cost_usd` stops the run before the next trial once that much is spent; None is no limit. `timeouts_fail` counts
    a timeout as failed instead of as an error. `executor` is `NAME` or `NAME:ADDRESS`, empty for this machine; `jobs`
    may be 0: as many at a time as there is room for. `retries` is for what the table of outcomes says may pass by
    itself.
    """

    harness: str = "claude-code"
    model: str = ""
    delivery: Delivery = "system-prompt"
    arms: tuple[str, ...] = ("with",)
    evals: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    core: bool = False
    sample: int | None = None
    seed: int = 0
    shard: tuple[int, int] = (1, 1)
    trials: int = 1
    executor: str = ""
    jobs: int = 1
    timeout_s: float = 900
    idle_s: float = 300
    retries: int = 1
    sandbox: Literal["auto", "bwrap", "none"] = "auto"
    env: tuple[str, ...] = ()
    options: Mapping[str, str] = {}
    judge: str = ""
    grader_model: str = ""
    grader_command: str = ""
    grader_timeout_s: float = 300
    votes: int = 1
    max_cost_usd: float | None = None
    timeouts_fail: bool = False
    keep: bool = False
    fresh: bool = False

    @property
    def is_part(self) -> bool:
        """Whether other shards run the rest, so that even a run without trials counts."""
        return self.shard[1] > 1
