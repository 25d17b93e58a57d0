"""Experiments as users run them, with a stub for an agent: what the skill adds, and what makes a run fail."""

import json
import os
import re
import shlex
import sys
from xml.etree import ElementTree as ET

import pytest
from catalogs import skill, write
from jsonschema import Draft202012Validator
from stubs import comes
from trials import (
    CASES,
    CHECK,
    SKILL,
    an_eval,
    behavioral,
    calls_of,
    case_file,
    catalog,
    command,
    folders,
    outcomes,
    running_in,
)

from skillcheck import schemas

ARMS = ("--arms", "with,without")
STUB = ("behavioral", "--harness", "command", "--agent-command", command(), "--retries", 0, *ARMS)
RUNS = {"type": "tool-used", "tool": "Bash", "min": 1}
ORDER = {"type": "tool-order", "tools": ["Skill", "Bash"]}


def valid(report):
    """The report, which fits its schema."""
    Draft202012Validator(schemas.schema("report")).validate(report)
    return report


def study_of(report):
    (study,) = valid(report)["studies"]
    return study


def test_a_skill_that_helps_is_told_to_help(run, tmp_path):
    catalog(tmp_path, *(an_eval(n, "helped") for n in range(1, 8)), an_eval(8, "well"))
    status, out, _ = run(*STUB)
    assert status == 0
    assert "jot against without: helps (p = 0.0156, at most 0.05)\n" in out
    assert "difference +0.875" in out
    assert "7 better, 0 worse, 1 equal\n" in out
    assert "  saturated, passed by both arms every time: 8\n" in out
    assert re.search(r"^jot: with against without$", out, re.MULTILINE)
    assert re.search(r"^  1 +1 of 1 +0 of 1 +\+1.00$", out, re.MULTILINE)
    assert "\nwith: 8 passed, 0 failed, 0 errors\n" in out
    assert "\nwith: pass rate 100.0% (8/8 of graded), coverage 8/8\n" in out
    assert "\nwithout: 1 passed, 7 failed, 0 errors\n" in out
    assert "\nskill loaded in 7 of 8 trials\n" in out
    assert "eval 8: the agent never loaded 'jot'" in out


def test_a_skill_that_hurts_names_what_it_made_worse(run, tmp_path):
    catalog(tmp_path, *(an_eval(n, "harmed") for n in range(1, 8)))
    status, out, _ = run(*STUB)
    assert "jot against without: hurts (p = 0.0156, at most 0.05)\n" in out
    assert "  made worse: 1, 2, 3, 4, 5, 6, 7\n" in out
    assert status == 1


def test_too_few_tasks_establish_nothing(run, tmp_path):
    catalog(tmp_path, *(an_eval(n, "helped") for n in range(1, 4)))
    status, out, _ = run(*STUB)
    assert "jot against without: insufficient (the arms differ on 3 tasks, so p is 0.25 at least; 3 more are" in out
    assert status == 0


def test_a_failed_control_never_fails_the_run_and_an_error_in_any_arm_does(run, tmp_path):
    catalog(tmp_path, an_eval(1, "helped"))
    assert run(*STUB)[0] == 0
    catalog(tmp_path, an_eval(1, "harmed"))
    assert run(*STUB)[0] == 1
    catalog(tmp_path, an_eval(1, "well"))
    refuses = f'sh -c "test -d .agents/skills && exec {command()}; echo 401 unauthorized >&2; exit 1"'
    status, out, _ = run(*STUB[:4], refuses, *STUB[5:], "--format", "json")
    report = valid(json.loads(out))
    assert status == 3
    assert {(t["arm"], t["status"]) for t in report["trials"]} == {("with", "passed"), ("without", "error")}
    assert report["metrics"]["passed"] == 1
    assert report["metrics"]["arms"]["without"]["by_class"] == {"infra-auth": 1}
    (message,) = [d["message"] for d in report["diagnostics"] if d["severity"] == "error"]
    assert message == "eval 1, arm without: infra-auth: the agent ended with status 1: 401 unauthorized"


def test_how_it_was_done_does_not_count_in_the_effect(tmp_path):
    how = [{"type": "skill-used"}, RUNS, ORDER]
    root = catalog(tmp_path, *(an_eval(n, "well", checks=[CHECK, *how]) for n in range(1, 8)))
    status, report, _ = behavioral(root, *ARMS)
    study = study_of(report)
    assert (study["treated"]["mean"], study["control"]["mean"], study["effect"]["delta"]) == (1, 1, 0)
    assert {text.split()[0] for _, text in study["non_discriminating"]} == {"file-contains"}
    assert (report["metrics"]["passed"], report["metrics"]["arms"]["without"]["passed"]) == (0, 7)
    assert status == 1


def test_the_report_fits_its_schema_in_every_arm(tmp_path):
    root = catalog(tmp_path, an_eval(1, "learn"), an_eval(2, "well"), an_eval(3, "rate"))
    write(root, {"skills/other/SKILL.md": skill("other")})
    arms = "with,without,docs,self,distractor"
    status, report, _ = behavioral(root, "--arms", arms, "--trials", "2", "--jobs", "4", "--retries", "0")
    valid(report)
    assert status == 3
    assert [study["against"] for study in report["studies"]] == ["without", "docs", "self", "distractor"]
    assert list(report["metrics"]["arms"]) == ["with", "without", "docs", "self", "distractor"]
    told = next(study for study in report["studies"] if study["against"] == "docs")
    assert [task["delta"] for task in told["tasks"]] == [1, 0, None]
    assert told["treated"]["errors"] == {"infra-rate": 2}
    assert told["unbalanced"]
    assert (report["metrics"]["trials"], report["metrics"]["cost_usd"]) == (6, None)


def test_controls_are_stored_beside_the_trials_and_used_again(run, tmp_path):
    root = catalog(tmp_path, an_eval(1, "helped"))
    assert run(*STUB, "--trials", 2)[0] == 0
    assert {name[-1] for name in outcomes(root)} == {"1", "2", "without-1", "without-2"}
    status, out, _ = run(*STUB, "--trials", 3, "--format", "json")
    reused = {(t["arm"], t["trial"]): bool(t["reused"]) for t in json.loads(out)["trials"]}
    assert reused == {(arm, n): n < 3 for arm in ("with", "without") for n in (1, 2, 3)}
    assert status == 0


def test_a_changed_skill_leaves_its_control_as_it_was(run, tmp_path):
    root = catalog(tmp_path, an_eval(1, "helped"))
    run(*STUB)
    write(root, {SKILL: skill("jot", body="# Steps\n\nJot twice.\n")})
    trials = json.loads(run(*STUB, "--format", "json")[1])["trials"]
    assert {t["arm"]: bool(t["reused"]) for t in trials} == {"with": False, "without": True}


def test_an_experiment_is_shown_and_graded_again(run, tmp_path):
    root = catalog(tmp_path, *(an_eval(n, "helped") for n in range(1, 8)))
    run(*STUB)
    status, out, _ = run("results", "latest")
    assert status == 0
    assert "jot against without: helps" in out
    assert "\nwithout: 0 passed, 7 failed, 0 errors\n" in out
    assert study_of({**json.loads(run("results", "latest", "--format", "json")[1]), "metrics": {"skills": 1}})
    absent = [{"type": "file-absent", "path": "answer.txt"}]
    write(root, {CASES: case_file(*(an_eval(n, "helped", checks=absent) for n in range(1, 8)))})
    status, out, _ = run("grade", "latest", "--format", "json")
    study = study_of(json.loads(out))
    assert (study["verdict"]["word"], study["effect"]["delta"], status) == ("hurts", -1, 1)


def plain(report):
    """A report without what differs from run to run."""
    trials = [{**trial, "seconds": 0, "reused": "", "notes": []} for trial in report["trials"]]
    studies = [{**s, "ratios": {k: v for k, v in s["ratios"].items() if k != "seconds"}} for s in report["studies"]]
    return trials, studies, {**report["metrics"], "run": ""}


def test_an_experiment_that_was_killed_and_resumed_equals_one_that_ran_through(start, tmp_path):
    count, arms = 6, ("--arms", "with,without,self")
    evals = [an_eval(n, f"{'slowly 0.1' if n % 2 else 'harmed'} e{n}") for n in range(1, count + 1)]
    root, calls, temporary = folders(tmp_path / "killed")
    catalog(root, *evals)
    killed = start(root, calls, *arms, "--jobs", 2, TMPDIR=str(temporary))
    assert comes(lambda: len(outcomes(root)) >= count, 30)
    killed.kill()
    killed.communicate()
    finished = {(outcome["eval"], outcome["arm"]) for outcome in outcomes(root).values()}
    words = (*arms, "--jobs", "2", "--sandbox", "none")
    status, resumed, _ = behavioral(root, *words, agent_words=[calls], env={"TMPDIR": str(temporary)})
    assert count <= len(finished) < 3 * count
    reused = {(t["eval"], t["arm"]) for t in resumed["trials"] if t["reused"]}
    assert reused == {pair for pair in finished if pair[1] != "self"}
    assert set(calls_of(calls)) == {f"e{n}" for n in range(1, count + 1)}
    assert list(temporary.iterdir()) == []
    assert running_in(temporary) == set()
    whole, calls, _ = folders(tmp_path / "whole")
    other, uninterrupted, _ = behavioral(catalog(whole, *evals), *words, agent_words=[calls])
    assert plain(valid(resumed)) == plain(uninterrupted)
    assert status == other


def test_junit_takes_no_control_for_a_failure(run, tmp_path):
    catalog(tmp_path, an_eval(1, "helped"))
    run(*STUB, "--format", "junit=report.xml")
    (suite,) = ET.parse(tmp_path / "report.xml").getroot()  # noqa: S314 - we wrote it
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "0", "0")
    assert [case.get("name") for case in suite] == ["eval 1, trial 1", "eval 1, trial 1, arm without"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--arms", "without"),
            "invalid value for '--arms': 'without' lacks 'with', with which the others are compared",
        ),
        (("--arms", "with,witout"), "unknown arm 'witout'; did you mean 'without'"),
        (("--arms", "with,"), "unknown arm ''"),
        (
            (*ARMS, "--delivery", "system-prompt"),
            "arms are compared with --delivery native: a system prompt would be another difference between them",
        ),
        (("--harness", "nop,"), "unknown harness ''"),
    ],
)
def test_a_wrong_option_is_told_in_one_line(words, message, run, tmp_path):
    catalog(tmp_path, an_eval(1, "well"))
    status, out, err = run("behavioral", "--harness", "nop", *words)
    assert (status, out) == (2, "")
    assert err.startswith(f"error: {message}")
    assert err.count("\n") == 1


def test_arms_are_delivered_natively(run, tmp_path):
    catalog(tmp_path, an_eval(1, "well"))
    trials = json.loads(run(*STUB, "--format", "json")[1])["trials"]
    assert {trial["delivery"] for trial in trials} == {"native"}


def test_a_dry_run_tells_the_arms_what_could_be_found_and_what_it_takes(run, tmp_path):
    catalog(tmp_path, *(an_eval(n, "well") for n in range(1, 9)))
    words = ("behavioral", "--dry-run", "--harness", "claude-code,pi", *ARMS, "--trials", 3, "--grader", "none")
    status, out, _ = run(*words)
    assert status == 0
    assert out.count("arms: with, without\n") == 2
    assert out.count("calls: 48 to the agent, 0 to the grader (8 evals x 2 arms x 3 trials)\n") == 2
    assert out.count("jot: 8 tasks would show a difference of 0.37 or more in 80% of cases\n") == 2
    assert "\ncalls in all: 96 to agents, 0 to the grader\n" in out
    report = valid(json.loads(run(*words, "--format", "json")[1]))
    assert report["metrics"]["agent_calls"] == 96
    assert {(each["harness"], *each["arms"]) for each in report["plan"]} == {
        ("claude-code", "with", "without"), ("pi", "with", "without"),
    }  # fmt: skip
    assert "jot: 2 tasks would show a difference of 0.74 or more in 80% of cases; fewer than 6 can" in run(
        *words, "--eval", 1, "--eval", 2
    )[1]  # fmt: skip


def test_agents_are_compared_in_one_report(run, tmp_path, monkeypatch):
    root = catalog(tmp_path, *(an_eval(n, "helped") for n in range(1, 8)))
    monkeypatch.setenv("SKILLCHECK_AGENT_COMMAND", "true")
    words = (*STUB[:2], "command,nop", *STUB[3:])
    status, out, _ = run(*words, "--format", "json", "--format", "junit=report.xml", "--format", "text=report.txt")
    report = valid(json.loads(out))
    assert status == 1
    assert {(t["harness"], t["arm"], t["status"]) for t in report["trials"]} == {
        ("command", "with", "passed"),
        ("command", "without", "failed"),
        ("nop", "with", "failed"),
        ("nop", "without", "failed"),
    }
    assert [(s["harness"], s["verdict"]["word"]) for s in report["studies"]] == [
        ("command", "helps"), ("nop", "insufficient"),
    ]  # fmt: skip
    assert [report["metrics"]["harnesses"][name]["pass_rate"] for name in ("command", "nop")] == [1, 0]
    messages = [d["message"] for d in report["diagnostics"]]
    assert len(messages) == 7
    assert all(message.startswith("nop: eval ") for message in messages)
    assert len(list((root / "evals/results").iterdir())) == 2
    suites = [suite.get("name") for suite in ET.parse(tmp_path / "report.xml").getroot()]  # noqa: S314 - we wrote it
    assert suites == ["jot (command)", "jot (nop)"]
    text = (tmp_path / "report.txt").read_text("utf-8")
    assert "command: jot: with against without\n" in text
    assert "\nnop:\n  jot against without: insufficient" in text


def test_the_exit_status_of_several_agents_is_the_gravest(run, tmp_path):
    catalog(tmp_path, an_eval(1, "rate"))
    assert run("behavioral", "--harness", "nop,command", "--agent-command", command(), "--retries", 0)[0] == 3


def test_what_one_agent_lacks_is_told_before_any_begins(run, tmp_path, monkeypatch):
    root = catalog(tmp_path, an_eval(1, "well"))
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    status, out, err = run("behavioral", "--harness", "nop,anthropic")
    assert (status, out, err) == (3, "", "error: anthropic needs ANTHROPIC_API_KEY in the environment\n")
    assert not (root / "evals/results").exists()


def test_several_agents_have_one_budget(run, tmp_path, monkeypatch):
    catalog(tmp_path, *(an_eval(n, "well") for n in range(1, 4)))
    monkeypatch.setenv("SKILLCHECK_AGENT_COMMAND", command())
    words = ("--harness", "claude-code,anthropic", "--max-cost-usd", 8, "--delivery", "native", "--format", "json")
    status, out, err = run("behavioral", *words)
    found = [(t["harness"], t["class"]) for t in json.loads(out)["trials"]]
    assert found == [("claude-code", "completed")] * 3 + [("anthropic", "completed")] + [("anthropic", "budget")] * 2
    assert "\n4/6: 4 passed, 0 failed, 0 errors, $8.00, " in err
    assert status == 3


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    """A program in the place of claude, of which this machine has none, nor a key."""
    (tmp_path / "stand-in.sh").write_text(f'#!/bin/sh\nexec {command()} "$@"\n', "utf-8")
    monkeypatch.setenv("SKILLCHECK_AGENT_COMMAND", f"sh ./stand-in.sh {shlex.quote('')}")
    kept = os.pathsep.join(dict.fromkeys(os.path.dirname(p) for p in ("/bin/sh", "/usr/bin/git", sys.executable)))  # noqa: PTH120
    monkeypatch.setenv("PATH", kept)
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)


CLAUDE = ("behavioral", "--harness", "claude-code", "--delivery", "native", "--format", "json")


@pytest.mark.usefixtures("stand_in")
def test_the_environment_names_another_command_for_an_agent(run, tmp_path):
    root = catalog(tmp_path, an_eval(1, "well"))
    assert "missing" not in run(*CLAUDE, "--dry-run", "--format", "text")[1]
    status, out, err = run(*CLAUDE)
    (trial,) = json.loads(out)["trials"]
    assert (status, trial["status"], trial["harness"], trial["version"]) == (0, "passed", "claude-code", ""), err
    (about,) = root.glob("evals/results/*/run.json")
    told = json.loads(about.read_bytes())
    assert "stand-in.sh" in told["settings"]["options"]["override"]
    assert "stand-in.sh" in told["commands"][0]


@pytest.mark.usefixtures("stand_in")
def test_another_text_of_the_command_is_another_trial(run, tmp_path):
    catalog(tmp_path, an_eval(1, "well"))
    run(*CLAUDE)
    assert json.loads(run(*CLAUDE)[1])["trials"][0]["reused"]
    with (tmp_path / "stand-in.sh").open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    assert not json.loads(run(*CLAUDE)[1])["trials"][0]["reused"]


@pytest.mark.usefixtures("stand_in")
def test_a_command_that_is_not_there_is_missed(run, tmp_path, monkeypatch):
    catalog(tmp_path, an_eval(1, "well"))
    monkeypatch.setenv("SKILLCHECK_AGENT_COMMAND", "nowhere --fast")
    told = "error: claude-code needs the program 'nowhere', which is not on PATH\n"
    assert run(*CLAUDE) == (3, "", told)
    monkeypatch.setenv("SKILLCHECK_AGENT_COMMAND", "'")
    assert run(*CLAUDE)[::2] == (2, 'error: invalid value: "\'" is no command: no closing quotation\n')


def test_bypassed_is_told_only_where_something_can_tell(run, tmp_path):
    catalog(tmp_path, an_eval(1, "well"), an_eval(2, "plainly"))
    _, out, _ = run(*STUB)
    assert "eval 1: the agent never loaded 'jot'" in out
    assert "eval 2: the agent never" not in out
    assert "skill loaded in 0 of 1 trials\n" in out
