"""A judge of the user's own: any program that reads the prompt on standard input and writes its answer."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from skillcheck.evals.judge import Answer, Judge, Question, ask_program
from skillcheck.evals.trace.printed import complaint

if TYPE_CHECKING:
    from skillcheck.process import Completed


def ask(question: Question) -> Answer:
    """Run the command, split as a shell would, with the caller's environment; what it writes is the answer."""
    try:
        argv = shlex.split(question.command)
    except ValueError as error:
        return Answer("", problem=f"the command {question.command!r} can't be split: {error}", retry=False)
    if not argv:
        return Answer("", problem="the command of the grader is empty", retry=False)
    return ask_program(argv, question, question.environ, _read)


def _read(done: Completed) -> Answer:
    problem = f"the grader's command ended with status {done.status}{complaint(done)}" if done.status else ""
    return Answer(done.stdout.decode("utf-8", "replace"), problem=problem)


JUDGE = Judge("command", ask)
