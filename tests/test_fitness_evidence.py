"""What stored trials show of a skill's fitness, case by case: labels, advice, and what counts for nothing."""

import json
import shutil

import pytest
from catalogs import here, skill, skillcheck, write
from indices import edited, indexed, of, reported, runs
from trials import (
    CASES,
    CHECK,
    GRADER,
    SKILL,
    an_eval,
    behavioral,
    calls_of,
    carried_out,
    case_file,
    catalog,
    folders,
)

from skillcheck import api
from skillcheck.evals.plan.settings import Settings
from skillcheck.studies.fitness import ADVICE

EXPLAINED = "say 1. I wrote inbox/answer.txt; no problems were left."


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    """Three skills, tried twice each: one that is good, one that wavers, one that is bad at all there is."""
    root, notes = tmp_path_factory.mktemp("shelf"), tmp_path_factory.mktemp("notes")
    marked = [CHECK, {**CHECK, "constraint": True}]
    evals = {
        "good": [an_eval(1, EXPLAINED, category="edge")],
        "wavering": [an_eval(1, f"alternately {notes}"), *(an_eval(n, "well") for n in (2, 3, 4))],
        "bad": [an_eval(1, "fail", category="edge", checks=marked)],
    }
    files = {f"skills/{name}/SKILL.md": skill(name) for name in evals}
    cases = {f"evals/cases/{name}.json": json.dumps({"skill_name": name, "evals": own}) for name, own in evals.items()}
    catalog(root)
    for path in (root / SKILL, root / "skills/jot/reference.md", root / CASES):
        path.unlink()
    carried_out(write(root, {**files, **cases}), trials=2)
    return {each["skill"]: each for each in reported(root).records["fitness"]}


@pytest.mark.parametrize(
    ("name", "risk", "admission", "review"),
    [
        ("good", "low", "admitted", False),
        ("wavering", "medium", "untested", True),
        ("bad", "high", "not admitted", True),
    ],
)
def test_skills_are_labelled_by_their_trials(shelf, name, risk, admission, review):
    found = shelf[name]
    assert (found["risk"], found["admission"], bool(found["review"])) == (risk, admission, review)


def test_advice_follows_from_the_scores(shelf):
    texts = {each.score: each.text for each in ADVICE}
    told = {name: [line.split(": ", 1) for line in found["advice"]] for name, found in shelf.items()}
    assert told["good"] == []
    assert told["wavering"] == [["explanation 52.5", texts["explanation"]]]
    wrong = ("completeness", "constraints", "stability", "explanation", "robustness")
    assert told["bad"] == [[f"{name} 0", texts[name]] for name in wrong]


def test_review_names_scores_and_evals(shelf):
    assert shelf["wavering"]["review"] == ("eval 1 passed 1 of 2 times, below 60 %",)
    assert "constraints 0 is below 50" in shelf["bad"]["review"]


def test_an_agent_that_passes_the_skill_over_is_told(tmp_path):
    carried_out(catalog(tmp_path, an_eval(1, "well")), delivery="native")
    index, _ = indexed(tmp_path)
    assert index["advice"] == (
        "1 of 1 agents that were offered the skill never read it: say that it must be used, and when",
    )
    assert of(index, "compatibility")["missing"] == "no trial shows whether an agent loads the skill"


def test_a_skill_that_no_agent_is_offered_has_no_other_score(tmp_path):
    carried_out(catalog(tmp_path, an_eval(1, "unoffered")), delivery="native")
    index, _ = indexed(tmp_path)
    assert (index["total"], of(index, "compatibility")["value"], index["risk"]) == (0, 0, "unknown")
    assert of(index, "completeness")["missing"] == "skipped, since no agent could load the skill"
    assert "the agent was not offered the skill 'jot'" in of(index, "compatibility")["evidence"][0]["what"]
    assert index["advice"] == ("compatibility 0: mend what keeps agents from loading the skill before anything else",)


def test_a_skill_that_an_agent_was_not_offered_is_not_tried_again(tmp_path):
    root, calls, _ = folders(tmp_path)
    catalog(root, an_eval(1, "unoffered"), an_eval(2, "well"))
    records = carried_out(root, agent_words=(calls,), delivery="native", trials=2)
    assert calls_of(calls) == {"unoffered": 1}
    assert {record.how for record in records} == {"not-offered"}
    assert {record.message for record in records[1:]} == {
        "skipped: the agent was not offered the skill in trial 1 of eval 1"
    }
    index, told = indexed(root)
    assert len(of(index, "compatibility")["evidence"]) == 1
    assert not any("ended in an error" in line for line in told)


@pytest.mark.parametrize("is_tried", [True, False], ids=["tried before", "never tried"])
def test_a_skill_that_can_not_be_read_has_no_other_score(tmp_path, is_tried):
    catalog(tmp_path, an_eval(1, "well"))
    if is_tried:
        carried_out(tmp_path)
    (tmp_path / SKILL).write_text("---\nname: jot\ndescription: x\n", "utf-8")
    index, _ = indexed(tmp_path)
    assert index["total"] == 0
    assert of(index, "compatibility")["evidence"] == [
        {
            "task": "any",
            "value": 0.0,
            "what": "frontmatter is not closed: no later line is only ---",
            "where": f"{SKILL}#L1",
            "by": "",
        }
    ]


def test_a_skill_that_can_not_be_read_is_not_run(tmp_path):
    catalog(tmp_path, an_eval(1, "well"))
    (tmp_path / SKILL).write_text("---\nname: jot\ndescription: x\n", "utf-8")
    plan = api.plan(api.choose((), api.configure(base=tmp_path), tmp_path), Settings("nop"))
    assert plan.specs == ()
    assert plan.left_out == (
        ("jot", "1", "no agent can load the skill: frontmatter is not closed: no later line is only ---"),
    )


def test_an_agent_that_had_to_be_stopped_has_done_nothing(tmp_path):
    acceptance = [{"text": "The answer is there", "evidence": "checks[0]"}]
    (record,) = carried_out(catalog(tmp_path, an_eval(1, "loop", acceptance=acceptance, category="edge")))
    index, told = indexed(tmp_path)
    assert record.status == "passed"
    (item,) = of(index, "completeness")["evidence"]
    assert (item["value"], item["what"]) == (
        0,
        "not done: agent-loop: the agent made the same call again and again (The answer is there)",
    )
    assert (index["evals"][0]["passed"], index["admission"]) == (0, "not admitted")
    assert "  1 of 1 trials had to be stopped, and count as not done" in told


NEVER = {"type": "tool-used", "tool": "Bash", "max": 0}


@pytest.mark.parametrize(("verb", "value"), [("well", 1), ("idle", 0)], ids=["done", "stopped"])
def test_how_the_work_was_done_is_no_part_of_it(tmp_path, verb, value):
    bound = {"type": "files-changed", "only": ["answer.txt"], "constraint": True}
    root = catalog(tmp_path, an_eval(1, verb, checks=[CHECK, NEVER, bound]))
    carried_out(root, idle_s=1, timeouts_fail=True)
    (item,) = of(indexed(root)[0], "completeness")["evidence"]
    assert (item["value"], "file-contains" in item["what"]) == (value, True)


def test_a_constraint_may_be_on_how_the_work_is_done(tmp_path):
    root = catalog(tmp_path, an_eval(1, "well", checks=[CHECK, {**NEVER, "constraint": True}]))
    carried_out(root)
    assert of(indexed(root)[0], "constraints")["value"] == 100


def test_agents_that_show_nothing_of_skills_say_nothing_of_loading(tmp_path):
    carried_out(catalog(tmp_path, an_eval(1, "plainly")), delivery="native")
    index, _ = indexed(tmp_path)
    assert of(index, "compatibility")["missing"] == "no trial shows whether an agent loads the skill"
    assert not any("never read it" in line for line in index["advice"])


def test_a_verdict_is_on_the_text_that_was_judged(tmp_path):
    def asked(text):
        return an_eval(1, "well", acceptance=[{"text": text, "evidence": "rubric"}])

    carried_out(catalog(tmp_path, asked("Says 'done'")), judge="command", grader_command=GRADER)
    assert of(indexed(tmp_path)[0], "completeness")["value"] == 100
    write(tmp_path, {CASES: case_file(asked("Says 'zebra'"))})
    assert of(indexed(tmp_path)[0], "completeness")["value"] is None


def test_errors_count_for_nothing_and_are_told(tmp_path):
    items = [{"text": "The answer is there", "evidence": "checks[0]"}]
    carried_out(catalog(tmp_path, an_eval(1, "rate", category="edge", acceptance=items), an_eval(2, "garbage")))
    report = reported(tmp_path, total=1)
    (index,) = report.records["fitness"]
    assert (index["total"], index["confidence"], index["admission"]) == (None, "none", "untested")
    assert "  2 of 2 trials ended in an error, and count for nothing: infra-protocol 1, infra-rate 1" in report.summary
    assert not any("acceptance items" in line for line in report.summary)
    assert [found.message for found in report.diagnostics] == ["total of jot is n/a, not 1 or more"]


def test_agents_are_compared_and_are_no_repetition_of_each_other(tmp_path):
    root = catalog(tmp_path, an_eval(1, "well"))
    carried_out(root)
    edited(root, lambda outcome: {**outcome, "harness": "other", "model": "m-1"})
    carried_out(root, fresh=True, trials=2)
    index, told = indexed(root, *runs(root))
    assert [(each["agent"], each["stability"]) for each in index["agents"]] == [
        ("other m-1 (system-prompt)", None),
        ("command (system-prompt)", 100),
    ]
    seen = {(item["task"], item["by"]) for item in of(index, "stability")["evidence"]}
    assert seen == {("eval 1", "command (system-prompt)")}
    assert of(index, "compatibility")["tasks"] == 2
    assert told[0].endswith("; agents: other m-1 (system-prompt), command (system-prompt)")
    assert "jot: agents" in [table.title for table in reported(root, *runs(root)).tables]


def test_a_trial_that_was_run_anew_counts_too(tmp_path):
    root = catalog(tmp_path, an_eval(1, "well"))
    carried_out(root)
    carried_out(root, fresh=True)
    index, _ = indexed(root, *runs(root))
    assert (index["evals"][0]["graded"], index["risk"]) == (2, "low")


def test_what_can_not_be_read_is_told_and_nothing_else_is_lost(tmp_path):
    root = catalog(tmp_path, *(an_eval(number, "well") for number in (1, 2, 3, 4)))
    carried_out(root)
    (run,) = runs(root)
    place = root / "evals/results" / run / "jot"
    (place / "1/1/outcome.json").write_text('{"schema_version": 2, "key"', "utf-8")
    (place / "2/1/outcome.json").write_text('{"schema_version": 99}', "utf-8")
    (place / "3/1/trace.jsonl").unlink()
    carried_out(root, fresh=True)
    broken = root / "evals/results" / runs(root)[-1]
    (broken / "run.json").write_text("[]", "utf-8")
    index, told = indexed(root, *runs(root))
    assert [each["eval"] for each in index["evals"]] == ["3", "4"]
    assert {item["task"] for item in of(index, "explanation")["evidence"]} == {"eval 4"}
    unreadable = [line.partition(" can't be read: ") for line in told if "can't be read" in line]
    assert [(path.removeprefix(str(root)), why) for path, _, why in unreadable] == [
        (f"/evals/results/{run}/jot/1/1/outcome.json", "it is no JSON"),
        (f"/evals/results/{run}/jot/2/1/outcome.json", "its schema_version is 99; this version reads 1 to 2"),
        (f"/evals/results/{broken.name}/run.json", "it is no JSON object"),
    ]


def test_what_can_not_be_relied_on_passes_no_gate(tmp_path):
    root = catalog(tmp_path, an_eval(1, "well"), an_eval(2, "fail"))
    carried_out(root)
    place = root / "evals/results" / runs(root)[0] / "jot"
    whole = (place / "2/1/outcome.json").read_bytes()
    gate = ("fitness", "--fail-below", "10", "--format", "json")

    def gated():
        status, out, _ = here(*gate, cwd=root)
        return status, json.loads(out)["metrics"]["unreadable"], " ".join(json.loads(out)["notes"])

    assert gated()[:2] == (0, 0)
    (place / "2/1/outcome.json").write_bytes(whole[:300])
    status, count, told = gated()
    assert (status, count) == (3, 2)
    assert "outcome.json can't be read: it is no JSON" in told
    shutil.rmtree(place / "2")
    status, _, told = gated()
    assert (status, "is not as it was left: see `skillcheck verify`" in told) == (3, True)
    (root / CASES).write_text("{", "utf-8")
    assert "evals/cases/jot.json can't be read: see `skillcheck check`" in gated()[2]
    assert here(*gate[:1], cwd=root)[0] == 0


def test_a_named_skill_that_nobody_tried_is_below_every_limit(tmp_path):
    root = write(catalog(tmp_path, an_eval(1, "well")), {"skills/other/SKILL.md": skill("other")})
    carried_out(root)
    found = reported(root, "jot", "other", total=1).diagnostics
    assert [(each.path, each.message) for each in found] == [("skills/other/SKILL.md", "other has no fitness index")]
    assert reported(root, total=1).diagnostics == ()


def test_a_trace_that_was_cut_off_explains_nothing_and_is_told(tmp_path):
    root = catalog(tmp_path, an_eval(1, EXPLAINED))
    carried_out(root)
    (trace,) = (root / "evals/results").rglob("trace.jsonl")
    trace.write_bytes(trace.read_bytes()[:-40])
    index, told = indexed(root)
    assert of(index, "explanation")["value"] is None
    assert "  1 of 1 trials have no trace that can be read, so that their explanations don't count" in told


def test_the_evals_of_several_agents_are_no_more_evals(tmp_path):
    root = catalog(tmp_path, an_eval(1, "well"))
    for model in ("m-1", "m-2"):
        carried_out(root, model=model, trials=2, fresh=True)
    index, _ = indexed(root, *runs(root))
    assert of(index, "stability")["tasks"] == 1


def test_a_run_of_task_packages_is_told_to_be_one(tmp_path):
    root = catalog(tmp_path, an_eval(1, "well"))
    carried_out(root)
    (run,) = (root / "evals/results").iterdir()
    edited(root, lambda about: {**about, "choice": {}}, "run.json")
    assert f"left out: run {run.name} is of task packages" in reported(root).summary


def test_older_outcomes_are_read(tmp_path):
    root = catalog(tmp_path, an_eval(1, "well"))
    carried_out(root)

    def aged(outcome):
        checks = [
            {k: v for k, v in each.items() if k not in {"role", "process"}} for each in outcome["grading"]["checks"]
        ]
        kept = {name: value for name, value in outcome.items() if name not in {"arm", "verified"}}
        return {**kept, "schema_version": 1, "grading": {**outcome["grading"], "checks": checks}}

    edited(root, aged)
    index, _ = indexed(root)
    assert of(index, "completeness")["value"] == 100


def test_the_run_of_another_catalog_is_told(tmp_path):
    root = catalog(tmp_path, an_eval(1, "well"))
    carried_out(root)
    edited(root, lambda outcome: {**outcome, "skill": "theirs"})
    report = reported(root, str(root / "evals/results" / runs(root)[0]), total=1)
    assert report.summary[1:3] == (
        "left out: theirs is no skill of this catalog",
        "none of these skills was tried in these runs",
    )
    assert [found.message for found in report.diagnostics] == ["no skill has a fitness index"]


def test_without_a_stored_run_there_is_nothing_to_weigh(tmp_path):
    status, out, err = skillcheck("fitness", cwd=catalog(tmp_path, an_eval(1, "well")))
    assert (status, out) == (2, b"")
    assert err.decode() == f"error: no stored run 'latest' in {tmp_path}/evals/results\n"


def test_what_is_no_more_as_it_was_tried_is_told(tmp_path):
    items = [{"text": "The answer is there", "evidence": "checks[0]"}]
    root = catalog(tmp_path, an_eval(1, "well", acceptance=items), an_eval(2, "well"))
    carried_out(root)
    write(root, {CASES: case_file(an_eval(1, "well", acceptance=items, checks=[{**CHECK, "text": "better"}]))})
    write(root, {SKILL: skill("jot", body="# Steps\n\nJot well.\n")})
    index, told = indexed(root)
    assert of(index, "completeness")["missing"] == "nothing that was done was graded"
    assert "  acceptance items that count for nothing, since no judge was asked or they were edited since: 1" in told
    (run,) = runs(root)
    assert told[-4:] == (
        "left out: eval 2 of jot is no more in the catalog",
        f"{SKILL} has changed since {run}: its trials are of the older one",
        f"{CASES} has changed since {run}: what its cards declare may be newer than the trials",
        f"runs: {run}",
    )


@pytest.mark.parametrize(("more", "graded"), [({}, 0), ({"judge_explanation": True}, 1)], ids=["itself", "asked for"])
def test_a_dialogue_is_its_own_explanation(tmp_path, more, graded):
    carried_out(catalog(tmp_path, an_eval(1, "well", kind="dialogue", **more)), judge="none")
    index, _ = indexed(tmp_path)
    assert len(of(index, "explanation")["evidence"]) == graded
    assert of(index, "completeness")["value"] == 100


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
