"""Our own evals can be trusted: a solution passes each, and neither idleness nor a cheap trick passes any."""

import json
import shutil
from pathlib import Path

import pytest
from catalogs import here

from skillcheck import schemas

ROOT = Path(__file__).parent.parent
TASKS = {
    (path.stem, str(task["id"])): task
    for path in sorted((ROOT / "evals/cases").glob("*.json"))
    for task in json.loads(path.read_text("utf-8"))["evals"]
    if task.get("kind", "execution") == "execution"
}
PROCESS = {"skill-used", "tool-order", "tool-used"}

DELETES = "#!/bin/sh\nrm -rf -- *\n"
QUOTES = """#!/usr/bin/env python3
import json
from pathlib import Path

task = json.loads({task!r})
checks = [check for check in task["checks"] if check["type"] != "script"]
for name in (name for check in checks for name in (check.get("path"), *check.get("at-least", ())) if name):
    path = Path(name)
    if not path.is_dir():
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write("\\n".join([task["expected_output"], *task["expectations"]]))
"""


@pytest.fixture
def catalog(tmp_path):
    """A copy, since results are kept beside the evals."""
    for name in ("skills", "evals"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("results"))
    return tmp_path


def run(catalog, harness):
    """The exit status, and how each eval ended."""
    words = ("behavioral", "--harness", harness, "--grader", "none", "--jobs", "2", "--format", "json")
    status, out, _ = here(*words, cwd=catalog)
    return status, {(trial["skill"], trial["eval"]): trial["status"] for trial in json.loads(out)["trials"]}


def every(status):
    return dict.fromkeys(TASKS, status)


@pytest.mark.parametrize("task", TASKS.values(), ids=map("-".join, TASKS))
def test_execution_eval_has_a_solution_and_checks_of_its_result(task):
    assert task["solution"]
    assert task["checks"]
    assert PROCESS.isdisjoint(check["type"] for check in task["checks"])


def test_solutions_pass(catalog):
    assert run(catalog, "oracle") == (0, every("passed"))


def test_doing_nothing_fails(catalog):
    assert run(catalog, "nop") == (1, every("failed"))


@pytest.mark.parametrize("trick", [DELETES, QUOTES], ids=["deletes all", "quotes the expectations"])
def test_trick_fails(trick, catalog):
    for task in TASKS.values():
        (catalog / "evals/fixtures" / task["solution"]).write_text(trick.format(task=json.dumps(task)), "utf-8")
    assert run(catalog, "oracle") == (1, every("failed"))


def test_each_score_of_two_skills_names_files_that_are_there(catalog):
    """The solutions are no agent, and no judge is asked: what an agent would show stays unknown, and is told."""
    skills = ("publishing-catalogs", "fixing-lint-findings")
    words = ("--harness", "oracle", "--grader", "none", "--trials", "2", "--jobs", "2", "--format", "json")
    assert here("behavioral", *skills, *words, cwd=catalog)[0] == 0
    status, out, _ = here("fitness", "--format", "json", "--format", "markdown=fitness.md", cwd=catalog)
    report, markdown = json.loads(out), (catalog / "fitness.md").read_text("utf-8")
    assert (status, schemas.problems("report", report)) == (0, ())
    assert {index["skill"] for index in report["fitness"]} == set(skills)
    for score in (score for index in report["fitness"] for score in index["scores"]):
        files = {item["where"].partition("#")[0] for item in score["evidence"]}
        assert bool(files) != bool(score["missing"])
        assert all((catalog / file).is_file() for file in files)
        assert all(f"| {score['name']} | {item['task']} |" in markdown for item in score["evidence"])
    (lint,) = (index for index in report["fitness"] if index["skill"] == "fixing-lint-findings")
    assert [score["value"] for score in lint["scores"]] == [100, 100, None, 100, None]
    assert lint["purpose"] == "tool"
