import os
import threading
import time

import pytest
from judges.conftest import MET, answer

from skillcheck.evals.grading.rubric import grade
from skillcheck.evals.judge import OUTPUT_BYTES, named

JUDGE = named("command")


def test_the_prompt_comes_on_stdin_and_stdout_is_the_answer(question, program):
    path = program("text = sys.stdin.read()\nprint(text.upper(), sys.argv[1:])\nprint('told', file=sys.stderr)")
    found = JUDGE.ask(question._replace(command=f"'{path}' --flag 'a b'", prompt="größer"))
    assert found.text == "GRÖSSER ['--flag', 'a b']\n"
    assert (found.problem, found.stderr) == ("", "told\n")
    assert (found.usage, found.cost_usd) == (None, None)


def test_it_stands_in_an_empty_folder_that_is_gone_afterwards(question, program):
    code = "print(os.getcwd(), os.environ['TMPDIR'], len(os.listdir()))\nopen('left', 'w').write('x')"
    folder, temporary, files = JUDGE.ask(question._replace(command=str(program(code)))).text.split()
    assert files == "0"
    assert temporary != question.environ.get("TMPDIR")
    assert not any(os.path.lexists(path) for path in (folder, temporary))


def test_it_has_the_callers_environment(question, program):
    environ = {**question.environ, "GRADER_DUMP": "here"}
    code = "print(os.environ['GRADER_DUMP'])"
    assert JUDGE.ask(question._replace(command=str(program(code)), environ=environ)).text == "here\n"


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("sys.stderr.write('first\\noverloaded\\n\\n'); sys.exit(3)", "ended with status 3: overloaded"),
        ("sys.exit(3)", "ended with status 3"),
        ("os.kill(os.getpid(), 9)", "ended with status -9"),
        ("os.write(2, b'\\xff'); sys.exit(1)", "ended with status 1: \ufffd"),
    ],
    ids=["with a reason", "without one", "a signal", "any bytes"],
)
def test_another_status_than_zero_is_a_problem_with_its_last_word(question, program, code, problem):
    found = JUDGE.ask(question._replace(command=str(program(f"print('partly', flush=True)\n{code}"))))
    assert found.problem == f"the grader's command {problem}"
    assert (found.text, found.retry) == ("partly\n", True)


def test_a_hang_is_a_problem(question, program):
    began = time.monotonic()
    path = program("time.sleep(60)")
    found = JUDGE.ask(question._replace(command=str(path), timeout_s=0.5))
    assert found.problem == f"{path} did not finish in 0.5 seconds"
    assert time.monotonic() - began < 5


def test_a_hang_ends_with_the_interrupt(subject, question, program, tmp_path):
    path, stop = program("(state / 'began').touch()\ntime.sleep(60)"), threading.Event()

    def interrupt():
        while not (tmp_path / "began").exists():
            time.sleep(0.01)
        stop.set()

    thread = threading.Thread(target=interrupt)
    thread.start()
    grading = grade(subject, JUDGE, question._replace(command=str(path), stop=stop))
    thread.join()
    assert (grading.problem, len(grading.answers)) == ("interrupted", 1)


def test_a_flood_is_cut(question, program):
    path = program("for _ in range(64): os.write(1, b'x' * 65536); os.write(2, b'y' * 65536)")
    found = JUDGE.ask(question._replace(command=str(path)))
    assert (len(found.text), len(found.stderr)) == (OUTPUT_BYTES, OUTPUT_BYTES)


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        ("/no/such/grader --x", "the grader's program '/no/such/grader' can't be started"),
        ("grader 'x", "the command \"grader 'x\" can't be split: No closing quotation"),
        ("  ", "the command of the grader is empty"),
    ],
    ids=["missing", "quotes", "empty"],
)
def test_a_command_that_cannot_be_run_is_not_tried_again(subject, question, command, problem):
    grading = grade(subject, JUDGE, question._replace(command=command))
    assert (grading.problem, len(grading.answers)) == (problem, 1)


def test_a_judge_that_does_not_read_its_prompt_still_answers(subject, question, program):
    large = subject._replace(trace="x" * 300_000)
    code = f"os.close(0)\nprint({answer('pp')!r})"
    grading = grade(large, JUDGE, question._replace(command=str(program(code))))
    assert [one.passed for one in grading.judgements] == [True, True]


@pytest.mark.parametrize(
    "code",
    [
        "print('All good, everything passed.')",
        'print(\'{"expectations":[{"text":"a","passed":true,"evi\')',
        "pass",
        "print('[true]')",
        "sys.stderr.write('overloaded\\n'); sys.exit(3)",
    ],
    ids=["prose", "truncated", "empty", "array", "status"],
)
def test_a_useless_program_is_asked_twice_and_nothing_is_graded(subject, question, program, tmp_path, code):
    count = "with open(state / 'asked', 'a') as file: file.write('x')\n"
    grading = grade(subject, JUDGE, question._replace(command=str(program(count + code))))
    assert grading.judgements == ()
    assert grading.problem
    assert len((tmp_path / "asked").read_text("utf-8")) == 2 == len(grading.answers)


def test_older_answers_count_by_position(subject, question, program):
    entry = {"text": "t", "passed": True, "evidence": "e"}
    code = f"print('Here:\\n```json\\n' + json.dumps({{'expectations': [{entry}]}}) + '\\n```\\nBye {{ok}}')"
    grading = grade(subject._replace(expectations=(MET,)), JUDGE, question._replace(command=str(program(code))))
    assert [(one.text, one.passed, one.evidence) for one in grading.judgements] == [(MET, True, "e")]
