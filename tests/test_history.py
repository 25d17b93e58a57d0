"""`skillcheck history` on stored runs, as users run it."""

import json
import shutil

import pytest
from catalogs import skill, write
from jsonschema import Draft202012Validator
from past import SKILL, keep, trial

from skillcheck import schemas

CASES = f"evals/cases/{SKILL}.json"
TEXTS = ("sorts the notes", "names the key")


def case(number):
    return {"id": number, "prompt": "Sort.", "expected_output": "Notes.", "files": ["inbox"], "expectations": [*TEXTS]}


@pytest.fixture
def root(tmp_path):
    evals = json.dumps({"skill_name": SKILL, "evals": [case(1), case(2)]}, indent=1)
    files = {f"skills/{SKILL}/SKILL.md": skill(SKILL), CASES: evals, "evals/fixtures/inbox/note.txt": "x"}
    return write(tmp_path, files)


def trials(lost=0, model="m-1", **more):
    """Five trials of each eval; in `lost` of those of the second one the key isn't named."""
    return [
        trial(number, n, {TEXTS[0]: True, TEXTS[1]: number == 1 or n > lost}, model=model, **more)
        for number in (1, 2)
        for n in range(1, 6)
    ]


def line_of(root, text):
    """The last line of the case file that holds a text, from 1."""
    lines = (root / CASES).read_text("utf-8").splitlines()
    return max(number for number, line in enumerate(lines, 1) if text in line)


def ten_runs(root, lost=0):
    for day in range(1, 10):
        keep(root, day, trials())
    return keep(root, 10, trials(lost, model="m-2"))


@pytest.fixture
def history(run):
    return lambda *words: run("history", *words)


def test_a_planted_regression_in_the_tenth_run_is_told_where_it_is(root, history):
    newest = ten_runs(root, lost=4)
    status, out, err = history("--alert")
    told = [line for line in out.splitlines() if "regressed-dimension" in line]
    assert (status, err) == (1, "")
    assert {line.partition(" error: ")[2].partition(" fell ")[0] for line in told} == {
        f"pass rate of {SKILL}", f"pass rate of eval 2 of {SKILL}", f"eval 2 of {SKILL}: 'names the key'",
    }  # fmt: skip
    place = f"{CASES}:{line_of(root, TEXTS[1])}:5: error: eval 2 of {SKILL}: 'names the key'"
    assert f"{place} fell to 1 of 5 trials, from 45 of 45 (p = " in out
    assert f"claude-code, native: {newest} against 9 earlier: worse in 3 dimensions" in out


def test_ten_runs_without_one_raise_no_alarm(root, history):
    newest = ten_runs(root)
    status, out, _ = history("--alert", "--fail-below", "90")
    assert status == 0
    assert f"claude-code, native: {newest} against 9 earlier: within noise" in out
    assert out.count("100.0%") >= 10


def test_without_alert_the_runs_are_shown_and_nothing_is_judged(root, history):
    ten_runs(root, lost=5)
    status, out, _ = history("--last", "2")
    rows = [line.split() for line in out.splitlines() if line.startswith("  202603")]
    assert status == 0
    assert [row[0][:8] for row in rows] == ["20260309", "20260310"]
    assert [row[2] for row in rows] == ["m-1", "m-2"]
    assert "5 of 10" in out
    assert "23.7% to 76.3%" in out


def test_a_threshold_holds_skills_and_evals_of_the_newest_run(root, history):
    ten_runs(root, lost=2)
    status, out, _ = history("--fail-below", "75")
    assert status == 1
    assert f"{CASES}:17:10: error: pass rate of eval 2 of {SKILL} is 60.0%, 3 of 5, below 75 %" in out
    assert out.count("below-threshold") == 1
    assert history("--fail-below", "60")[0] == 0


def test_json_follows_the_schema(root, history):
    ten_runs(root, lost=4)
    status, out, _ = history("--alert", "--format", "json")
    report = json.loads(out)
    assert status == 1
    Draft202012Validator(json.loads(schemas.text("report"))).validate(report)
    assert [(row["passed"], row["graded"]) for row in report["history"]] == [(10, 10)] * 9 + [(6, 10)]
    assert report["history"][9]["interval"] == pytest.approx([0.3127, 0.8318], abs=1e-4)
    assert report["history"][9]["cost_usd"] == 5


def test_a_fall_is_told_in_run_json_where_the_eval_is_gone(root, history):
    newest = ten_runs(root, lost=5)
    write(root, {CASES: json.dumps({"skill_name": SKILL, "evals": [case(1)]})})
    out = history("--alert")[1]
    assert f"evals/results/{newest}/run.json:1:1: error: pass rate of eval 2 of {SKILL} fell to 0 of 5" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("tidy-note",), f"no stored run of skill 'tidy-note'; did you mean {SKILL!r}"),
        (("--harness", "xyz"), "no stored run of harness 'xyz'; there are claude-code"),
        (("--model", "m-3"), "no stored run of model 'm-3'; there are m-1, m-2"),
        (("--fail-below", "101"), "invalid value for '--fail-below': '101' is not a number from 0 to 100"),
    ],
)
def test_what_is_not_stored_is_a_usage_error(words, message, root, history):
    ten_runs(root)
    status, out, err = history(*words)
    assert (status, out) == (2, "")
    assert err == f"error: {message}\n"


@pytest.mark.usefixtures("root")
def test_no_runs_at_all_are_a_usage_error(history):
    assert history("--alert") == (2, "", "error: there are no stored runs\n")


def test_runs_that_can_not_be_read_are_named_and_the_others_count(root, history):
    newest = ten_runs(root, lost=5)
    results = root / "evals/results"
    oldest, second, *_ = sorted(results.iterdir())
    (second / "run.json").write_text('{"schema_version": 2, "skills": []}', "utf-8")
    (oldest / "run.json").write_text('{"schema_version": 0}', "utf-8")
    broken = results / newest / SKILL / "1/1/outcome.json"
    broken.write_text('{"schema_version": 9}', "utf-8")
    status, out, _ = history("--alert")
    assert status == 1
    assert f"{oldest}/run.json can't be read: its schema_version is 0; this version reads 1 to 2" in out
    assert f"{second}/run.json can't be read: 'skills' is []" in out
    assert f"{broken} can't be read: its schema_version is 9; this version reads 1 to 2" in out
    assert f"{newest} against 7 earlier" in out


def test_a_newest_run_that_can_not_be_relied_on_passes_no_gate(root, history):
    newest = root / "evals/results" / ten_runs(root, lost=0)
    assert history("--alert")[0] == 0
    whole = (newest / "run.json").read_bytes()
    (newest / "run.json").write_bytes(whole[:20])
    assert [history(*words)[0] for words in (("--alert",), ("--fail-below", "1"), ())] == [3, 3, 0]
    (newest / "run.json").write_bytes(whole)
    assert history("--alert")[0] == 0
    digests = (newest / "digests.json").read_bytes()
    (newest / "digests.json").unlink()
    status, out, _ = history("--alert")
    assert (status, f"run {newest.name} is unfinished: see `skillcheck verify`" in out) == (3, True)
    (newest / "digests.json").write_bytes(digests)
    (newest / "run.json").unlink()
    status, out, _ = history("--alert")
    assert (status, f"{newest}/run.json can't be read: No such file or directory" in out) == (3, True)
    (newest / "run.json").write_bytes(whole)
    shutil.rmtree(newest / SKILL / "1")
    status, out, _ = history("--alert")
    assert (status, f"run {newest.name} is not as it was left: see `skillcheck verify`" in out) == (3, True)


def test_a_run_of_a_later_version_is_shown_and_handed_out_by_nobody(root, run):
    newest = root / "evals/results" / ten_runs(root, lost=0)
    (newest / "run.json").write_text('{"schema_version": 9}', "utf-8")
    told = f"{newest}/run.json can't be read: its schema_version is 9; this version reads 1 to 2"
    for words in ((), ("latest",)):
        status, out, _ = run("results", *words)
        assert (status, told in out) == (0, True)
    for words in (("export", "latest", "out", "--to", "skill-creator"), ("results", "latest", "--public", "rows")):
        status, out, err = run(*words)
        assert (status, out, err) == (3, "", f"error: {told}\n")
    assert not {"out", "rows"} & {path.name for path in root.iterdir()}


def test_models_are_looked_at_by_what_was_asked_for_and_what_answered(root, history):
    keep(root, 1, trials(), {"model": "big"})
    keep(root, 2, trials(model="m-2"), {"model": "small"})
    for words, count in ((("--model", "big"), 1), (("--model", "m-2"), 1), ((), 2)):
        assert len(json.loads(history(*words, "--format", "json")[1])["history"]) == count


def test_the_rule_can_be_turned_off(root, history):
    ten_runs(root, lost=5)
    assert history("--alert", "--set", "rules.regressed-dimension='warning'")[0] == 0
    assert "regressed-dimension" not in history("--alert", "--set", "ignore=['history']")[1]
