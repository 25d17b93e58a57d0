"""The fitness index of stored trials as users see it: every score rests on files that are there."""

import json
import re
import shutil

import pytest
from catalogs import skillcheck
from jsonschema import Draft202012Validator
from trials import CASES, CHECK, GRADER, SKILL, an_eval, behavioral, carried_out, case_file, catalog

from skillcheck import api, schemas, stored
from skillcheck.evals.settings import Settings

EXPLAINED = "say 1. I wrote inbox/answer.txt; no problems were left."


@pytest.fixture(scope="module")
def tried(tmp_path_factory):
    """A catalog of which four evals were tried twice each, by a stub for an agent and another for a judge."""
    root, notes = tmp_path_factory.mktemp("tried"), tmp_path_factory.mktemp("notes")
    acceptance = [
        {"text": "The answer is there", "evidence": "checks[0]"},
        {"text": "The agent says 'It is done'", "evidence": "rubric"},
    ]
    catalog(
        root,
        an_eval(1, "well", difficulty=2, category="basic", acceptance=acceptance),
        an_eval(2, "fail", category="edge", constraints=["Says 'zebra'", "Says 'quagga'"]),
        an_eval(3, f"alternately {notes}", category="advanced"),
        an_eval(4, EXPLAINED, constraints=["Names 'answer.txt'"], judge_explanation=True),
    )
    graded = ("--grader", "command", "--grader-command", GRADER)
    status, _, _ = behavioral(root, *graded, "--trials", "2", "--sandbox", "none")
    assert status == 1
    return root


def weighed(root, *words):
    """The index of the one skill by `skillcheck fitness`."""
    status, out, err = skillcheck("fitness", *words, "--format", "json", cwd=root)
    assert status == 0, err
    report = json.loads(out)
    Draft202012Validator(schemas.schema("report")).validate(report)
    return report["fitness"][0]


@pytest.fixture(scope="module")
def index(tried):
    return weighed(tried)


def of(index, name):
    return next(score for score in (*index["scores"], index["robustness"]) if score["name"] == name)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("completeness", 70),
        ("constraints", 100 / 3),
        ("compatibility", 100),
        ("stability", 62.5),
        ("explanation", 47.5),
        ("robustness", 0),
    ],
)
def test_scores_are_counted_from_the_trials(index, name, value):
    assert of(index, name)["value"] == pytest.approx(value)


def test_total_is_the_weighted_sum(index):
    assert index["total"] == pytest.approx(28 + 20 / 3 + 15 + 9.375 + 4.75)
    assert index["interval"]["low"] < index["total"] < index["interval"]["high"]


def test_every_score_names_files_that_bear_it_out(tried, index):
    for score in (*index["scores"], index["robustness"]):
        assert score["evidence"]
        for item in score["evidence"]:
            file, _, place = item["where"].partition("#")
            assert (tried / file).is_file()
            if place:
                name, number = re.fullmatch(r"grading\.(\w+)\[(\d+)\]", place).groups()
                verdict = json.loads((tried / file).read_bytes())["grading"][name][int(number)]
                assert verdict["passed"] == item["value"]
                assert verdict["evidence"] in item["what"]


def test_acceptance_is_shown_by_what_was_declared(index):
    first = [item for item in of(index, "completeness")["evidence"] if item["task"] == "eval 1"]
    assert [item["where"].partition("#")[2] for item in first] == ["grading.checks[0]", "grading.expectations[0]"] * 2
    assert first[0]["what"].startswith("holds: The answer is there (")


def test_explanations_are_graded_by_markers_and_by_the_judge(index):
    reasons = {item["task"]: item["what"] for item in of(index, "explanation")["evidence"]}
    assert reasons["eval 1"] == "vague: the last message names steps"
    assert reasons["eval 2"] == "missing: the last message names no steps, problems or paths"
    assert reasons["eval 4"] == "clear: the last message names steps, problems, paths; the judge finds it clear"


def test_what_is_wrong_is_flagged_labelled_tagged_and_advised_on(index):
    assert index["review"] == [
        "constraints 33.3 is below 50",
        "eval 2 passed 0 of 2 times, below 60 %",
        "eval 3 passed 1 of 2 times, below 60 %",
        "explanation 47.5 is below 50",
    ]
    assert (index["risk"], index["admission"], index["confidence"]) == ("high", "not admitted", "low")
    assert [line.partition(" ")[0] for line in index["advice"]] == [
        "constraints",
        "stability",
        "explanation",
        "robustness",
    ]


def test_evals_are_listed_with_their_cards(index):
    assert index["evals"][0] == {
        "eval": "1", "category": "basic", "difficulty": 2, "passed": 2, "graded": 2, "errors": 0
    }  # fmt: skip


def test_markdown_has_the_scores_and_their_evidence(tried):
    status, out, _ = skillcheck("fitness", "jot", "latest", "--format", "markdown", cwd=tried)
    text = out.decode()
    assert status == 0
    assert "| jot | 63.8 |" in text
    assert "| constraints | 33.3 | 20.0 % | 2 of 6, 2 evals |" in text
    assert re.search(
        r"\| completeness \| eval 1 \| 1 \| holds: The answer is there .*/jot/1/1/outcome\.json#grading", text
    )
    assert "\n  - advice: stability 62.5: find what differs between trials" in text


@pytest.mark.parametrize(("least", "status"), [("63", 0), ("64", 1)])
def test_a_total_below_the_limit_fails(tried, least, status):
    assert skillcheck("fitness", "--fail-below", least, cwd=tried)[0] == status


def test_a_trial_that_two_runs_have_counts_once(tried, index, tmp_path):
    root = shutil.copytree(tried, tmp_path / "again")
    graded = ("--grader", "command", "--grader-command", GRADER)
    _, report, _ = behavioral(root, *graded, "--trials", "2", "--sandbox", "none", "--eval", "1")
    assert all(trial["reused"] for trial in report["trials"])
    runs = sorted(path.name for path in (root / "evals/results").iterdir())
    assert weighed(root, *runs)["total"] == index["total"]
    assert [entry["eval"] for entry in weighed(root)["evals"]] == ["1"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("jott", r"error: no stored run 'jott'.*; did you mean 'jot'\n"),
        ("1999", r"error: no stored run '1999'; there are \d+T.*\n"),
    ],
)
def test_a_name_of_nothing_is_told(tried, name, message):
    status, out, err = skillcheck("fitness", name, cwd=tried)
    assert (status, out) == (2, b"")
    assert re.fullmatch(message, err.decode())


def indexed(root):
    """The index of the one skill, and what is told beside."""
    report = stored.fitness((), api.configure(base=root), root)
    return report.records["fitness"][0], report.summary


def test_an_agent_that_passes_the_skill_over_is_told(tmp_path):
    carried_out(catalog(tmp_path, an_eval(1, "well")), delivery="native")
    index, _ = indexed(tmp_path)
    assert index["advice"] == (
        "1 of 1 agents that were offered the skill never read it: say that it must be used, and when",
    )
    assert of(index, "compatibility")["missing"] == "no agent tried to load the skill"


def test_a_skill_that_no_agent_is_offered_has_no_other_score(tmp_path):
    carried_out(catalog(tmp_path, an_eval(1, "unoffered")), delivery="native")
    index, _ = indexed(tmp_path)
    assert (index["total"], of(index, "compatibility")["value"]) == (0, 0)
    assert of(index, "completeness")["missing"] == "skipped, since no agent could load the skill"
    assert "the agent was not offered the skill 'jot'" in of(index, "compatibility")["evidence"][0]["what"]


def test_a_skill_that_can_not_be_read_has_no_other_score(tmp_path):
    carried_out(catalog(tmp_path, an_eval(1, "well")))
    (tmp_path / SKILL).write_text("---\nname: jot\ndescription: x\n", "utf-8")
    index, _ = indexed(tmp_path)
    assert index["total"] == 0
    assert of(index, "compatibility")["evidence"][0]["where"].startswith(f"{SKILL}#L")


def test_trials_without_a_model_say_nothing_of_agents(tmp_path):
    carried_out(catalog(tmp_path, an_eval(1, "well")), harness="nop", trials=2)
    index, told = indexed(tmp_path)
    assert [score["value"] for score in index["scores"]] == [0, None, None, 0, None]
    assert "  2 of 2 trials asked no model, and tell of the evals and not of an agent" in told


def test_acceptance_that_nobody_judged_is_told(tmp_path):
    items = [{"text": text, "evidence": shown} for text, shown in (("a", "checks[0]"), ("b", "rubric"))]
    carried_out(catalog(tmp_path, an_eval(1, "well", acceptance=items)), judge="none")
    index, told = indexed(tmp_path)
    assert of(index, "completeness")["value"] == 100
    assert "  acceptance items that count for nothing, since no judge was asked or they were edited since: 1" in told


def test_cards_that_are_newer_than_the_trials_are_told(tmp_path):
    carried_out(catalog(tmp_path, an_eval(1, "well")))
    (tmp_path / CASES).write_text(case_file(an_eval(1, "well", category="edge")), "utf-8")
    _, told = indexed(tmp_path)
    assert any("evals/cases/jot.json has changed since " in line for line in told)


def test_a_timeout_that_counts_as_failed_has_done_nothing(tmp_path):
    carried_out(catalog(tmp_path, an_eval(1, "idle")), idle_s=1, timeouts_fail=True)
    index, _ = indexed(tmp_path)
    (item,) = of(index, "completeness")["evidence"]
    assert item["what"] == (
        "not done: infra-timeout: no more output came after 1 s, while no tool was running"
        ' (file-contains {"path": "answer.txt", "text": "well"})'
    )
    assert of(index, "completeness")["value"] == 0


def test_a_constraint_that_fails_fails_the_trial_and_a_vague_explanation_does_not(tmp_path):
    silent = ["Says 'nothing of the kind'"]
    root = catalog(tmp_path, an_eval(1, "well", constraints=silent), an_eval(2, "well", judge_explanation=True))
    first, second = carried_out(root, judge="command", grader_command=GRADER)
    assert (first.status, second.status) == ("failed", "passed")
    assert [each.role for each in (*first.grading.failed, *second.grading.expectations)] == [
        "constraint",
        "explanation",
        "explanation",
    ]


def test_failed_constraints_stand_at_their_place_in_the_case_file(tmp_path):
    root = catalog(tmp_path, an_eval(1, "well", constraints=["Says 'zebra'"], judge_explanation=True))
    status, report, _ = behavioral(root, "--grader", "command", "--grader-command", GRADER)
    (found,) = [entry for entry in report["diagnostics"] if entry["rule"] == "failed-expectation"]
    lines = (root / CASES).read_text("utf-8").splitlines()
    assert status == 1
    assert found["message"] == "eval 1: constraint failed: Says 'zebra'"
    assert "zebra" in lines[found["line"] - 1]


def test_grading_again_without_a_judge_keeps_the_verdicts_on_the_card(tmp_path):
    root = catalog(tmp_path, an_eval(1, "well", constraints=["Says 'done'"], judge_explanation=True))
    (before,) = carried_out(root, judge="command", grader_command=GRADER)
    everything = api.choose((), api.configure(base=root), root)
    (after,) = api.grade(everything, "latest", Settings(judge="none")).records
    assert [each.role for each in after.grading.expectations] == ["constraint", "explanation", "explanation"]
    assert after.grading.expectations == before.grading.expectations


def test_a_check_can_be_marked_as_a_constraint(tmp_path):
    marked = [CHECK, {"type": "file-absent", "path": "answer.txt", "constraint": True}]
    carried_out(catalog(tmp_path, an_eval(1, "well", checks=marked)))
    index, _ = indexed(tmp_path)
    assert (of(index, "completeness")["value"], of(index, "constraints")["value"]) == (100, 0)
