"""The contract of a deterministic grader. Every other file here is one and ends in one constant, GRADER.

The file's name is what `checks[].type` of an eval says, `options` the JSON Schema of the entry's other keys.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from skillcheck.registry import find, names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from skillcheck.evals.trace.trace import Trace
    from skillcheck.process import Completed


class Grade(NamedTuple):
    """A verdict with its reason, which is never empty; `score` is from 0 to 1."""

    passed: bool
    reason: str
    score: float = 0.0

    @classmethod
    def of(cls, passed: bool, reason: str) -> Grade:  # noqa: FBT001 - a verdict is what it says
        """All or nothing."""
        return cls(passed, reason, float(passed))


class Evidence(NamedTuple):
    """What there is to look at after a run.

    `work` is the workspace as it stands, `fixtures` the folder that paths of scripts are relative to; `changed` are
    posix paths relative to `work` that differ from the baseline, by git's status letter (A, M, D). `run` starts a
    program in the workspace, in the sandbox of the agent: argv, standard input and a limit in seconds; it raises
    FileNotFoundError and SkillcheckError as `process.run` does.
    """

    work: Path
    fixtures: Path
    changed: Mapping[str, str]
    trace: Trace
    skill: str
    run: Callable[[Sequence[str], bytes, float], Completed]


class UngradableError(Exception):
    """The check itself could not be made (a script that crashes): neither passed nor failed."""


@dataclass(frozen=True, slots=True)
class Grader:
    """One kind of check: `grade(options, evidence)` raises UngradableError where there is no verdict to give.

    `needs` is `files` (looks at the workspace), `process` (starts programs in it) or `trace`.
    """

    name: str
    doc: str | None
    grade: Callable[[Mapping[str, Any], Evidence], Grade]
    needs: str
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def summary(self) -> str:
        """The manual's first line."""
        return (self.doc or "").strip().partition("\n")[0].rstrip(".")


def named(name: str) -> Grader | None:
    """The grader of a name, ours or a plug-in's; None if there is none."""
    found = find(__name__, name, "GRADER")
    return found if isinstance(found, Grader) else None


def grader_names() -> tuple[str, ...]:
    """The names of all graders; none is loaded."""
    return names(__name__)
