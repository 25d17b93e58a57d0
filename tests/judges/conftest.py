"""A subject with two expectations, one of them met, and ways to write programs that answer."""

import json
import os
import sys

import pytest

from skillcheck.evals.grading.rubric import Subject
from skillcheck.evals.judge import Question

MET, UNMET = "out.txt holds the word ready", "no other file is read"


def answer(verdicts):
    """A good answer, one entry for each letter: p for passed."""
    entries = [
        {"id": number, "passed": one == "p", "evidence": f"seen {number}"} for number, one in enumerate(verdicts, 1)
    ]
    return json.dumps({"expectations": entries})


@pytest.fixture
def subject():
    return Subject(
        "execution", "Write ready to out.txt.", "It is written.", (MET, UNMET), "A  out.txt", "assistant:\n  hi"
    )


@pytest.fixture
def question():
    return Question("the prompt", {"type": "object"}, "", 30, dict(os.environ))


@pytest.fixture
def program(tmp_path):
    """Write a Python program; what it knows beforehand is `sys`, `os`, `json`, `pathlib` and `state`, a folder."""

    def written(code, name="grader"):
        path = tmp_path / name
        head = f"#!{sys.executable}\nimport json, os, pathlib, sys, time\nstate = pathlib.Path({str(tmp_path)!r})\n"
        path.write_text(head + code, "utf-8")
        path.chmod(0o755)
        return path

    return written
