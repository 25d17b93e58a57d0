"""`skillcheck verify`: a stored run that was touched by hand is told from one that wasn't."""

import hashlib
import json
import shlex
import shutil

import pytest
from catalogs import skill, write
from jsonschema import Draft202012Validator
from stubs import comes
from trials import CASES, GRADER, SKILL, an_eval, behavioral, case_file, catalog, outcomes

from skillcheck import schemas

SAYS = {"expectations": ["It says 'done'", "It says 'farewell'"]}
EVALS = (an_eval(1, "well"), an_eval(2, "well", **SAYS), an_eval(3, "rate"))
WORDS = ("--grader-command", GRADER, "--retries", "0", "--sandbox", "none")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A catalog with a run: one trial passed, one failed one of two expectations, one is an error."""
    root = catalog(tmp_path_factory.mktemp("made") / "catalog", *EVALS)
    status, report, err = behavioral(root, *WORDS)
    assert (status, [trial["status"] for trial in report["trials"]]) == (3, ["passed", "failed", "error"]), err
    return root


@pytest.fixture
def stored(made, tmp_path):
    """A run to spoil: its folder, in a catalog that is the working directory."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    (folder,) = (tmp_path / "evals/results").iterdir()
    return folder


@pytest.fixture
def verified(run):
    """Verify in this process; returns the exit status and the findings as (file, rule, message)."""

    def verified(*words):
        status, out, err = run("verify", *words, "--format", "json")
        assert "this is a bug" not in err
        found = json.loads(out)["diagnostics"] if out else []
        return status, [(d["path"].rpartition("/")[2], d["rule"], d["message"]) for d in found]

    return verified


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def edit(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def forge(folder):
    """Make the digests fit what lies there, as somebody would who knows how they are made."""
    path = folder / "digests.json"
    known = json.loads(path.read_bytes())
    files = {each.relative_to(folder).as_posix(): each for each in folder.rglob("*") if each.is_file()}
    known["files"] = {name: sha256(each.read_bytes()) for name, each in files.items() if name != path.name}
    known["run"] = sha256(canonical({name: value for name, value in known.items() if name != "run"}))
    path.write_bytes(canonical(known))


def test_a_run_that_nobody_touched_is_whole_and_its_digest_is_that_of_all_files(stored, run):
    status, out, _ = run("verify", "--format", "json")
    assert status == 0
    report = json.loads(out)
    Draft202012Validator(schemas.schema("report")).validate(report)
    known = json.loads((stored / "digests.json").read_bytes())
    assert report["diagnostics"] == []
    assert report["metrics"]["digest"] == known.pop("run") == sha256(canonical(known))
    files = {path.relative_to(stored).as_posix(): path for path in stored.rglob("*") if path.is_file()}
    assert known["files"] == {n: sha256(p.read_bytes()) for n, p in files.items() if n != "digests.json"}
    assert len(known["files"]) == report["metrics"]["files"] == 3 * 8 + 1
    assert run("verify", stored.name)[1].splitlines()[-2] == f"digest: {report['metrics']['digest']}"


def test_the_digests_tell_what_was_tested_and_by_whom(stored):
    tested = json.loads((stored / "digests.json").read_bytes())["tested"]
    told = json.loads((stored / "run.json").read_bytes())
    assert tested == {name: told[name] for name in tested}
    assert (set(tested["skills"]), set(tested["cases"]), set(tested["fixtures"])) == ({"jot"}, {"jot"}, {"inbox"})
    assert set(tested["tasks"]) == {"jot/1", "jot/2", "jot/3"}
    assert {"harness", "harness_version", "commands", "model", "task_set_digest"} < set(tested)


def test_a_rate_that_was_edited_is_told_by_file_key_and_both_values(stored, run):
    edit(stored / "jot/2/1/grading.json", '"pass_rate": 0.5', '"pass_rate": 1.0')
    status, out, _ = run("verify", "--format", "json")
    changed, wrong = json.loads(out)["diagnostics"]
    assert status == 1
    assert changed["path"].endswith("jot/2/1/grading.json")
    assert changed["message"] == "grading.json was changed after the run (trial 1 of eval 2 of jot)"
    assert (wrong["rule"], wrong["message"]) == (
        "contradictory-result",
        "'summary.pass_rate' is 1.0; by outcome.json it is 0.5",
    )
    line = (stored / "jot/2/1/grading.json").read_text("utf-8").splitlines()[wrong["line"] - 1]
    assert line[wrong["column"] - 1 :] == "1.0"
    assert "digest" not in json.loads(out)["metrics"]


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("grading.json", '"pass_rate": 0.5', '"pass_rate": 1', "'summary.pass_rate' is 1; by outcome.json it is 0.5"),
        ("grading.json", '"failed": 1', '"failed": "none"', '\'summary.failed\' is "none"; by outcome.json it is 1'),
        ("grading.json", '"failed": 1,', "", "'summary.failed' is absent; by outcome.json it is 1"),
        ("grading.json", "{", "[", "can't be read: it is no JSON"),
        ("outcome.json", '"status": "failed"', '"status": "passed"',
         "'status' is 'passed'; by its verdicts and its class it is 'failed'"),
        ("outcome.json", '"how": "completed"', '"how": "infra-rate"',
         "'status' is 'failed'; by its verdicts and its class it is 'error'"),
        ("outcome.json", '"how": "completed"', '"how": "x"', "'how' is 'x', which is no class of outcomes"),
        ("outcome.json", '"trial": 1', '"trial": 2',
         "the trial lies in 'jot/2/1'; what it says of itself belongs in 'jot/2/2'"),
        ("timing.json", '"duration_ms": ', '"duration_ms": 1', "'duration_ms' is 1"),
    ],
    ids=["rate", "type", "key", "broken", "status", "class", "unknown class", "place", "timing"],
)  # fmt: skip
def test_numbers_that_contradict_each_other_are_found_though_the_digests_fit(stored, verified, name, old, new, message):
    edit(stored / "jot/2/1" / name, old, new)
    forge(stored)
    status, ((file, rule, told), *_) = verified()
    assert (status, file, rule) == (1, name, "contradictory-result")
    assert told.startswith(message)


def test_a_verdict_that_was_edited_contradicts_all_that_follows_from_it(stored, verified):
    edit(stored / "jot/2/1/outcome.json", '"passed": false', '"passed": true')
    forge(stored)
    status, found = verified()
    assert status == 1
    assert [(file, told.partition(" is ")[0]) for file, _, told in found] == [
        ("grading.json", "'expectations[1].passed'"),
        ("grading.json", "'assertion_results[1].passed'"),
        ("grading.json", "'summary.passed'"),
        ("grading.json", "'summary.failed'"),
        ("grading.json", "'summary.pass_rate'"),
        ("outcome.json", "'status'"),
    ]


@pytest.mark.parametrize(
    ("reward", "status", "message"),
    [
        ("1.0", "failed", "'status' is 'failed'; by its verdicts and its class it is 'passed'"),
        ("0", "passed", "'status' is 'passed'; by its verdicts and its class it is 'failed'"),
        ("0.5", "passed", "'status' is 'passed'; by its verdicts and its class it is 'failed'"),
        ("0.5", "failed", ""),
        ("null", "failed", ""),
    ],
)
def test_a_status_must_fit_the_reward_of_a_task(stored, verified, reward, status, message):
    path = stored / "jot/2/1/outcome.json"
    edit(path, '"verified": null', f'"verified": {{"reward": {reward}, "status": 0, "stdout": "", "stderr": ""}}')
    edit(path, '"status": "failed"', f'"status": "{status}"')
    forge(stored)
    assert [told for _, _, told in verified()[1]] == ([message] if message else [])


def test_files_that_are_gone_or_new_or_links_are_told(stored, verified, tmp_path):
    (stored / "jot/1/1/trace.jsonl").unlink()
    (stored / "jot/2/1/more.txt").write_text("more", "utf-8")
    stderr = stored / "jot/3/1/stderr.txt"
    stderr.replace(tmp_path / "elsewhere")
    stderr.symlink_to(tmp_path / "elsewhere")
    (stored / "jot/.left-behind").mkdir()
    (stored / "jot/.left-behind/x").write_text("nothing reads this", "utf-8")
    assert verified() == (1, [
        ("trace.jsonl", "edited-run", "trace.jsonl is missing after the run (trial 1 of eval 1 of jot)"),
        ("more.txt", "edited-run", "more.txt was added after the run (trial 1 of eval 2 of jot)"),
        ("stderr.txt", "edited-run", "stderr.txt was changed after the run (trial 1 of eval 3 of jot)"),
    ])  # fmt: skip


def test_what_run_json_says_was_tested_is_held_against_the_digests(stored, verified):
    edit(stored / "run.json", '"model": ""', '"model": "better"')
    assert verified() == (1, [
        ("run.json", "edited-run", "run.json was changed after the run"),
        ("run.json", "edited-run", "'model' is \"better\"; digests.json says \"\""),
    ])  # fmt: skip


def test_digests_that_were_edited_do_not_fit_their_own_digest(stored, verified):
    edit(stored / "digests.json", '"run.json":"', '"run.json":"0')
    status, found = verified()
    assert status == 1
    assert [(file, told.partition(";")[0].partition(" '")[0]) for file, _, told in found] == [
        ("digests.json", "'run' is"),
        ("run.json", "run.json was changed after the run"),
    ]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("digests.json", "{", "can't be read: it is no JSON"),
        ("digests.json", "[]", "can't be read: it is no JSON object"),
        ("digests.json", '{"schema_version": 1}', "can't be read: 'files' is missing"),
        ("digests.json", '{"schema_version": 1, "files": {"a": 1}, "tested": {}, "run": ""}',
         "can't be read: a is 1, not of type str"),
        ("digests.json", '{"schema_version": 1, "files": {}, "tested": {"a": [NaN]}, "run": ""}',
         "can't be read: it holds NaN or an infinity"),
        ("digests.json", '{"schema_version": 9}', "can't be read: its schema_version is 9; this version reads 1 to 2"),
        ("run.json", '{"schema_version": 1, "model": NaN, "skills": 3}', "run.json was changed after the run"),
        ("run.json", "", "can't be read: it is no JSON"),
        ("jot/1/1/outcome.json", "[" * 100_000, "can't be read: its values are nested too deeply"),
        ("jot/1/1/outcome.json", '{"schema_version": 1, "key": 5}', "can't be read: key is 5, not of type str"),
    ],
    ids=["broken", "list", "no files", "type", "nan", "version", "run nan", "run empty", "deep", "mistyped"],
)  # fmt: skip
def test_a_file_that_cannot_be_read_is_told_and_the_others_are_looked_through(stored, verified, name, text, message):
    (stored / name).write_text(text, "utf-8")
    edit(stored / "jot/2/1/grading.json", '"pass_rate": 0.5', '"pass_rate": 1.0')
    status, found = verified()
    assert status == 1
    assert (name.rpartition("/")[2], "edited-run", message) in found
    assert ("grading.json", "contradictory-result", "'summary.pass_rate' is 1.0; by outcome.json it is 0.5") in found


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"trial": 1', '"trial": "1"', "trial is '1', not of type int"),
        ('"seconds": ', '"seconds": NaN, "x": ', "seconds is nan, not a number"),
        ('"passed": true', '"passed": 1', "passed is 1, not of type bool"),
        ('"notes": []', '"notes": ["a", 2]', "notes[1] is 2, not of type str"),
        ('"usage": {', '"usage": [], "x": {', "usage is [], not an object"),
        ('"status": "passed"', '"status": "good"', "status is 'good', not 'passed' or 'failed' or 'error'"),
    ],
)
def test_a_value_of_another_type_is_named(stored, run, old, new, message):
    edit(stored / "jot/1/1/outcome.json", old, new)
    status, out, _ = run("results", "latest")
    assert status == 0
    assert f"outcome.json can't be read: {message}\n" in out
    assert f"can't be read: {message} [edited-run]" in run("verify")[1]


def test_a_killed_run_is_unfinished_and_what_is_there_is_looked_through(start, tmp_path, verified):
    root = catalog(tmp_path / "killed", an_eval(1, "well"), an_eval(2, "slowly 60"))
    (tmp_path / "calls").mkdir()
    killed = start(root, tmp_path / "calls")
    assert comes(lambda: outcomes(root), 30)
    killed.kill()
    killed.communicate()
    (folder,) = (root / "evals/results").iterdir()
    message = "the run has no digests.json: it was interrupted, or is still under way"
    assert verified(f"{folder}/") == (1, [(folder.name, "unfinished-run", message)])
    edit(folder / "jot/1/1/outcome.json", '"status": "passed"', '"status": "failed"')
    assert [rule for _, rule, _ in verified(f"{folder}/")[1]] == ["unfinished-run", "contradictory-result"]


def test_a_grade_makes_new_digests_and_hides_no_edit(stored, run, verified):
    before = json.loads((stored / "digests.json").read_bytes())
    edit(stored / "jot/1/1/trace.jsonl", "done", "undone")
    cases = case_file(an_eval(1, "well"), an_eval(2, "well", expectations=["It says 'done'"]), EVALS[2])
    write(stored.parents[2], {CASES: cases})
    watching = f"test ! -e {stored}/digests.json && touch {stored.parent}/unfinished; exec {GRADER}"
    assert run("grade", "--grader-command", shlex.join(("sh", "-c", watching)))[0] == 3
    assert (stored.parent / "unfinished").exists()
    after = json.loads((stored / "digests.json").read_bytes())
    assert after["files"]["jot/2/1/outcome.json"] != before["files"]["jot/2/1/outcome.json"]
    assert after["run"] != before["run"]
    assert verified() == (1, [
        ("jot.json", "changed-subject", "the case file of jot has changed since"),
        ("trace.jsonl", "edited-run", "trace.jsonl was changed after the run (trial 1 of eval 1 of jot)"),
    ])  # fmt: skip


def test_what_has_changed_in_the_catalog_is_a_warning(stored, verified):
    root = stored.parents[2]
    write(root, {SKILL: skill("jot") + "More.\n", CASES: case_file(*EVALS, an_eval(4, "well"))})
    write(root, {"evals/fixtures/inbox/note.txt": "Another.\n"})
    assert verified() == (0, [
        ("jot.json", "changed-subject", "the case file of jot has changed since"),
        ("inbox", "changed-subject", "the fixture inbox has changed since"),
        ("SKILL.md", "changed-subject", "the skill jot has changed since"),
    ])  # fmt: skip
    assert verified("--fail-on", "warning")[0] == 1
    assert verified("--set", "ignore=['changed-subject']") == (0, [])


def test_what_is_no_more_in_the_catalog_is_a_warning(stored, verified):
    root = stored.parents[2]
    write(root, {"skills/other/SKILL.md": skill("other")})
    shutil.rmtree(root / "skills/jot")
    shutil.rmtree(root / "evals/fixtures")
    status, found = verified()
    assert status == 0
    assert sorted(told for _, _, told in found) == [
        "the case file of jot is no more in the catalog",
        "the fixture inbox is no more in the catalog",
        "the skill jot is no more in the catalog",
    ]


def test_a_run_is_verified_where_there_is_no_catalog(made, tmp_path, run):
    (folder,) = (made / "evals/results").iterdir()
    shutil.copytree(folder, tmp_path / "elsewhere")
    status, out, _ = run("verify", "./elsewhere")
    assert status == 0
    assert out.startswith("what was tested was not compared: no skills found")
    status, out, err = run("verify", "./nowhere")
    assert (status, out) == (2, "")
    assert err == f"error: no stored run in {tmp_path}/nowhere: it holds no run.json\n"


def test_a_run_whose_digests_cannot_be_written_loses_nothing(tmp_path):
    root = catalog(tmp_path, an_eval(1, "well"))
    write(
        root, {"agent.sh": f"mkdir $(echo {root}/evals/results/2*)/digests.json\necho well > answer.txt\necho done\n"}
    )
    status, report, err = behavioral(root, "--agent-command", f"sh {root}/agent.sh", "--sandbox", "none")
    assert (status, report["metrics"]["passed"]) == (0, 1)
    assert "warning: the run has no digests: " in err


def test_a_trial_that_was_edited_is_run_again_and_not_reused(stored):
    edit(stored / "jot/1/1/outcome.json", '"status": "passed"', '"status": "failed"')
    report = behavioral(stored.parents[2], *WORDS)[1]
    assert [(trial["status"], bool(trial["reused"])) for trial in report["trials"]][:2] == [
        ("passed", False), ("failed", True),
    ]  # fmt: skip


def test_rows_are_not_written_where_the_proof_is_refused(stored, run, tmp_path):
    edit(stored / "jot/1/1/outcome.json", '"status": "passed"', '"status": "failed"')
    assert run("results", "latest", "--public", tmp_path / "rows.csv", "--proof", tmp_path / "proof.zip")[0] == 3
    assert not list(tmp_path.glob("rows.csv"))
