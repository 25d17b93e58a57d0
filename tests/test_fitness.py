"""The fitness index of stored trials as users see it: every score rests on files that are there."""

import json
import re
import shutil

import click
import pytest
from catalogs import here
from indices import of
from jsonschema import Draft202012Validator
from trials import (
    GRADER,
    SKILL,
    an_eval,
    behavioral,
    catalog,
)

from skillcheck import schemas
from skillcheck.cli.fitness import COMMAND
from skillcheck.studies.fitness import PURPOSES, WEIGHTS

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
    status, out, err = here("fitness", *words, "--format", "json", cwd=root)
    assert status == 0, err
    report = json.loads(out)
    Draft202012Validator(schemas.schema("report")).validate(report)
    return report["fitness"][0]


@pytest.fixture(scope="module")
def index(tried):
    return weighed(tried)


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
        "constraints 33.3333 is below 50",
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
    status, out, _ = here("fitness", "jot", "latest", "--format", "markdown", cwd=tried)
    text = out.decode()
    assert status == 0
    assert "| jot | 63.8 |" in text
    assert "| constraints | 33.3 | 20.0 % | 2 of 6, 2 evals |" in text
    assert re.search(
        r"\| completeness \| eval 1 \| 1 \| 2 \| holds: The answer is there .*/jot/1/1/outcome\.json#grading", text
    )
    assert "\n  - advice: stability 62.5: find what differs between trials" in text


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["63", "stability=62.5"], []),
        (
            ["64", "stability=62.6"],
            ["total of jot is 63.7917, not 64 or more", "stability of jot is 62.5, not 62.6 or more"],
        ),
    ],
    ids=["reached", "not reached"],
)
def test_what_is_below_its_limit_is_found(tried, words, found):
    limits = [word for each in words for word in ("--fail-below", each)]
    status, out, _ = here("fitness", *limits, "--format", "json", cwd=tried)
    assert status == bool(found)
    told = json.loads(out)["diagnostics"]
    assert [(each["path"], each["rule"]) for each in told] == [(SKILL, "below-threshold")] * len(found)
    assert sorted(each["message"] for each in told) == sorted(found)


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ("stabilty=3", "unknown score 'stabilty'; did you mean 'stability'"),
        ("101", "'101' is not a number from 0 to 100"),
        ("total=", "'' is not a number from 0 to 100"),
    ],
)
def test_a_limit_of_nothing_is_told(limit, message):
    with pytest.raises(click.BadParameter, match=re.escape(message)):
        COMMAND.make_context("fitness", ["--fail-below", limit])


def test_the_help_tells_all_weights():
    told = re.search(r"Completeness weighs.*?\.", COMMAND.help, re.DOTALL)[0]
    numbers = [int(number) for number in re.findall(r"\d+", told)]
    assert numbers == [weight for weights in (WEIGHTS, *PURPOSES.values()) for weight in weights.values()]


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
    status, out, err = here("fitness", name, cwd=tried)
    assert (status, out) == (2, b"")
    assert re.fullmatch(message, err.decode())
