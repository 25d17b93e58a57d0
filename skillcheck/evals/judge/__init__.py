"""The contract of a judge: who answers the grader's question. Every other file here is one and ends in JUDGE.

A judge has no tools, no MCP servers and an empty folder to stand in; it sees the prompt and nothing else.
"""

from __future__ import annotations

import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from skillcheck import process, registry
from skillcheck.errors import SkillcheckError
from skillcheck.evals.trace.trace import Usage
from skillcheck.evals.workspace.sandbox import MARK, new_mark, sweep
from skillcheck.evals.workspace.workspace import PREFIX

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

OUTPUT_BYTES = 1 << 20
"""How much of what a program writes is kept, and how much of its messages."""


class Question(NamedTuple):
    """One call: the prompt, the JSON Schema that the answer must fit, and how.

    `model` may be empty: the judge's own choice. `command` is that of --grader-command. `environ` is the caller's
    environment. `stop` ends a program that is asked, from another thread.
    """

    prompt: str
    schema: Mapping[str, Any]
    model: str
    timeout_s: float
    environ: Mapping[str, str]
    command: str = ""
    stop: threading.Event | None = None


class Answer(NamedTuple):
    """What came back: `text` as it came, which need not be JSON. `problem` says why it is of no use, or is empty.

    `retry` tells that the problem may pass by itself. `cost_usd` is None where it is unknown. `stderr` is what a
    program wrote beside its answer.
    """

    text: str
    model: str = ""
    usage: Usage | None = None
    cost_usd: float | None = None
    problem: str = ""
    retry: bool = True
    stderr: str = ""


@dataclass(frozen=True, slots=True)
class Judge:
    """One way to ask. `program` must be on PATH and one of `keys` set, if it has any."""

    name: str
    ask: Callable[[Question], Answer]
    program: str = ""
    keys: tuple[str, ...] = ()
    model: str = ""


def named(name: str) -> Judge:
    """The judge of a name; raises UsageError for an unknown one."""
    return registry.named(__name__, name, "JUDGE", Judge, "grader")


def ask_program(
    argv: Sequence[str], question: Question, env: Mapping[str, str], read: Callable[[process.Completed], Answer]
) -> Answer:
    """Let a program answer, in an empty folder and with the prompt on standard input; `read` says what it wrote.

    Its temporary files have a folder too, and it has a mark as agents have, so that nothing of it is left.
    """
    mark = new_mark()
    with tempfile.TemporaryDirectory(prefix=f"{PREFIX}{mark}-", ignore_cleanup_errors=True) as folder:
        try:
            ended, done = _supervised(argv, question, {**env, MARK: mark}, Path(folder))
        except FileNotFoundError:
            return Answer("", problem=f"the grader's program {argv[0]!r} can't be started", retry=False)
        except (SkillcheckError, OSError) as error:
            return Answer("", problem=f"the grader's program could not be run: {error}")
        finally:
            sweep(mark)
    answer = read(done)._replace(stderr=done.stderr.decode("utf-8", "replace"))
    if ended.stopped == "interrupted":
        return answer._replace(problem="interrupted", retry=False)
    if ended.stopped:
        return answer._replace(problem=f"{argv[0]} did not finish in {question.timeout_s:g} seconds", retry=True)
    return answer


def _supervised(
    argv: Sequence[str], question: Question, env: Mapping[str, str], folder: Path
) -> tuple[process.Exit, process.Completed]:
    empty, temporary, stdout, stderr = (folder / name for name in ("empty", "tmp", "stdout", "stderr"))
    empty.mkdir()
    temporary.mkdir()
    ended = process.supervise(
        argv,
        cwd=empty,
        env={**env, "TMPDIR": str(temporary)},
        stdin=question.prompt.encode(),
        stdout=stdout,
        stderr=stderr,
        limits=process.Limits(question.timeout_s, question.timeout_s, OUTPUT_BYTES),
        watch=lambda _: "",
        stop=question.stop or threading.Event(),
    )
    return ended, process.Completed(ended.status, stdout.read_bytes(), stderr.read_bytes())


def usage_of(record: object) -> Usage | None:
    """The tokens that a record tells by the names of Anthropic's API; None where it tells none."""
    if not isinstance(record, dict):
        return None
    caches = (record.get(name) or 0 for name in ("cache_creation_input_tokens", "cache_read_input_tokens"))
    counts = (record.get("input_tokens"), record.get("output_tokens"), *caches)
    known = [count for count in counts if isinstance(count, int)]
    return Usage(*known) if len(known) == len(counts) else None
