"""Grades of stored trials, made anew by today's cases, without an agent."""

import json
import threading

import pytest
from catalogs import write
from stubs import agent
from trials import CASES, CHECK, GRADER, an_eval, carried_out, case_file, catalog, outcomes

from skillcheck import api
from skillcheck.errors import SkillcheckError, UsageError
from skillcheck.evals.plan.settings import Settings

SAYS = {"expectations": ["It says 'done'"]}
FIRST = (an_eval(1, "well"), an_eval(2, "well", **SAYS), an_eval(3, "rate"), an_eval(4, "edit"), an_eval(5, "well"))
LATER = (
    an_eval(1, "well", checks=[CHECK, {"type": "file-absent", "path": "answer.txt"}]),
    an_eval(2, "well", expectations=["It says 'done'", "It says 'farewell'"]),
    an_eval(3, "well"),
    an_eval(4, "edit"),
)


def regraded(root, grader=GRADER, run="latest", stop=None):
    everything = api.choose((), api.configure(base=root), root)
    return api.grade(everything, run, Settings(grader_command=grader), stop=stop)


def stored(root):
    """The outcomes that are stored, by eval."""
    return {name[-2]: outcome for name, outcome in outcomes(root).items()}


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A catalog with a run, whose grader gave no answer, and what its grading by other cases came to."""
    root, calls = tmp_path_factory.mktemp("catalog"), tmp_path_factory.mktemp("calls")
    catalog(root, *FIRST)
    before = carried_out(root, agent_words=[calls], grader_command="false")
    first = stored(root)
    write(root, {CASES: case_file(*LATER)})
    results = regraded(root)
    return root, {record.eval: record for record in before}, first, results, len(list(calls.iterdir()))


def test_no_agent_is_called(graded):
    *_, results, calls = graded
    assert calls == 5
    assert len(results.records) == 4


def test_new_checks_and_expectations_give_new_grades_in_their_place(graded):
    root, before, _, results, _ = graded
    found = {record.eval: record for record in results.records}
    assert (before["1"].status, found["1"].status) == ("passed", "failed")
    assert [verdict.passed for verdict in found["1"].grading.checks] == [True, False]
    assert [verdict.passed for verdict in found["2"].grading.expectations] == [True, False]
    now = stored(root)
    assert {name: outcome["status"] for name, outcome in now.items()} == {
        "1": "failed", "2": "failed", "3": "error", "4": "error", "5": "passed",
    }  # fmt: skip
    (grading,) = root.glob("evals/results/*/jot/2/1/grading.json")
    assert json.loads(grading.read_bytes())["summary"] == {"passed": 1, "failed": 1, "total": 2, "pass_rate": 0.5}


def test_what_had_no_grade_has_one(graded):
    _, before, first, results, _ = graded
    assert (before["2"].status, before["2"].how) == ("error", "ungraded")
    assert first["2"]["how"] == "ungraded"
    (found,) = (record for record in results.records if record.eval == "2")
    assert (found.status, found.how, found.message) == ("failed", "completed", "")


def test_other_errors_stay(graded):
    root, _, first, _, _ = graded
    now = stored(root)
    assert (now["3"], now["4"]) == (first["3"], first["4"])


def test_an_eval_that_is_gone_is_told_and_stays(graded):
    root, _, first, results, _ = graded
    assert results.warnings == ("eval 5 of jot is no more in the catalog, and was left as it is",)
    assert stored(root)["5"] == first["5"]


def test_a_grade_by_other_expectations_is_not_used_for_the_first_ones(tmp_path):
    root = catalog(tmp_path, an_eval(1, "well"))
    carried_out(root)
    write(root, {CASES: case_file(LATER[0])})
    regraded(root)
    (other,) = carried_out(root)
    assert (other.status, bool(other.reused)) == ("failed", True)
    catalog(root, an_eval(1, "well"))
    (first,) = carried_out(root)
    assert (first.status, first.reused) == ("passed", "")


def test_a_grade_that_came_late_is_used_by_the_next_run(tmp_path):
    root = catalog(tmp_path, an_eval(1, "well", **SAYS))
    late = f"sh {write(tmp_path, {'grader.sh': 'exit 1'})}/grader.sh"
    (before,) = carried_out(root, grader_command=late)
    assert before.how == "ungraded"
    write(tmp_path, {"grader.sh": GRADER})
    regraded(root, late)
    (again,) = carried_out(root, grader_command=late)
    assert (again.status, bool(again.reused)) == ("passed", True)


def test_a_stop_leaves_the_stored_grades(tmp_path):
    root = catalog(tmp_path, an_eval(1, "well"))
    carried_out(root)
    before = outcomes(root)
    write(root, {CASES: case_file(LATER[0])})
    stop = threading.Event()
    stop.set()
    assert regraded(root, stop=stop).records[0].status == "passed"
    assert outcomes(root) == before


def test_a_grader_that_is_stopped_changes_no_grade(tmp_path):
    root = catalog(tmp_path, an_eval(1, "well", **SAYS))
    carried_out(root, grader_command=GRADER)
    before = outcomes(root)
    stop = threading.Event()
    timer = threading.Timer(0.5, stop.set)
    timer.start()
    assert regraded(root, " ".join(agent("hang.sh")), stop=stop).records[0].status == "passed"
    assert outcomes(root) == before


@pytest.mark.parametrize(
    ("run", "message"),
    [("none", "no stored run 'none'; there are "), ("2", "several runs begin with '2'; there are 2")],
)
def test_a_run_that_cannot_be_told_is_a_usage_error(run, message, tmp_path):
    root = catalog(tmp_path, an_eval(1, "well"))
    carried_out(root, harness="nop")
    carried_out(root, harness="nop")
    with pytest.raises(UsageError, match="^" + message):
        regraded(root, run=run)


def test_without_any_run_that_is_told(tmp_path):
    root = catalog(tmp_path, an_eval(1, "well"))
    with pytest.raises(UsageError, match="no stored run 'latest' in "):
        regraded(root)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "it is no JSON"),
        ("{}", "its schema_version is null; this version"),
        ('{"schema_version": 1}', "'harness'"),
    ],
)
def test_a_run_that_cannot_be_read_is_told(text, message, tmp_path):
    root = catalog(tmp_path, an_eval(1, "well"))
    carried_out(root, harness="nop")
    (path,) = root.glob("evals/results/*/run.json")
    path.write_text(text, "utf-8")
    with pytest.raises(SkillcheckError, match=f"run.json can't be read: {message}"):
        regraded(root)


def test_a_trial_whose_files_are_broken_has_no_grade_and_the_others_do(tmp_path):
    root = catalog(tmp_path, an_eval(1, "well"), an_eval(2, "well"))
    carried_out(root, harness="nop")
    (path,) = root.glob("evals/results/*/jot/1/1/changed.json")
    path.unlink()
    broken, sound = regraded(root).records
    assert (broken.status, broken.how) == ("error", "ungraded")
    assert "changed.json can't be read: No such file or directory" in broken.message
    assert sound.status == "failed"
