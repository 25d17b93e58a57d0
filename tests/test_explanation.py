import pytest

from skillcheck.evals.grading.explanation import explanation
from skillcheck.evals.store.record import Judged
from skillcheck.evals.trace.trace import Said, Trace

WHOLE = "1. Read the notes. One date was missing. The result is in inbox/sorted.md."


def grade(message, *verdicts):
    judged = [Judged("x", passed, "y", role="explanation") for passed in verdicts]
    return explanation(Trace.of([Said("Let me see."), Said(message)]), judged).grade


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (WHOLE, "clear"),
        ("Fixed it in notes.md; nothing else was done. Two tests couldn't be run.", "clear"),
        ("Fixed it.", "vague"),
        ("See sorted.md", "vague"),
        ("There is a problem", "vague"),
        ("Bye, e.g. at 3.5 o'clock", "missing"),
        ("", "missing"),
    ],
)
def test_markers_grade_the_last_message(message, expected):
    assert grade(message) == expected


@pytest.mark.parametrize(
    ("verdicts", "expected"), [((True, True), "clear"), ((True, False), "vague"), ((False, False), "missing")]
)
def test_the_judge_has_the_last_word(verdicts, expected):
    assert grade(WHOLE, *verdicts) == expected


def test_the_judge_can_not_find_what_is_not_there():
    assert grade("Bye", *(True, True)) == "missing"


def test_verdicts_on_other_things_are_no_grade():
    found = explanation(Trace.of([Said(WHOLE)]), [Judged("x", passed=False, evidence="y")])
    assert found == ("clear", "the last message names steps, problems, paths")


def test_a_silent_agent_explains_nothing():
    assert explanation(Trace.of([]), []).grade == "missing"
