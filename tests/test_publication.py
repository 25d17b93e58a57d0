"""`skillcheck results --public --proof`: what others may see of a run, and what proves it."""

import csv
import hashlib
import json
import shlex
import shutil
import zipfile

import pytest
from trials import an_eval, behavioral, catalog

REQUIRED = {
    "task_id", "task_digest", "trial_id", "task_set", "task_set_digest", "category", "condition", "difficulty",
    "score_eligible", "passed", "reward", "max_score", "time_used",
}  # fmt: skip
ALLOWED = REQUIRED | {
    "agent_transport", "artifact_refs", "error_type", "has_skills", "infra_failure_type", "participant_role", "tags",
}  # fmt: skip
MANIFEST = {
    "proof_id", "created_at", "participants", "task_set", "task_set_digest", "public_rows", "private_proof_refs",
    "copied_artifacts", "retention",
}  # fmt: skip
PRIVATE = "sesame"
AGENT = """case "$(tail -n 1)" in
    well) echo well > answer.txt; echo done ;;
    fail) echo left ;;
    *) echo "429 too many requests" >&2; exit 1 ;;
esac"""
WORDS = ("--retries", "0", "--arms", "with,without", "--agent-command", shlex.join(("sh", "-c", AGENT)))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A catalog with a run of two arms: each has a trial that passed, one that failed, and one error of the server."""
    root = catalog(
        tmp_path_factory.mktemp("made") / "catalog", *(an_eval(verb, verb) for verb in ("well", "fail", "rate"))
    )
    assert behavioral(root, *WORDS)[0] == 3
    return root


@pytest.fixture
def stored(made, tmp_path):
    """The run, in a catalog that is the working directory."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    (folder,) = (tmp_path / "evals/results").iterdir()
    return folder


def rows_of(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_public_rows_have_the_columns_of_the_whitelist_and_no_other(stored, run, tmp_path):
    assert run("results", "latest", "--public", "rows.jsonl")[0] == 0
    rows = rows_of(tmp_path / "rows.jsonl")
    assert len(rows) == 6
    for row in rows:
        assert set(row) >= REQUIRED
        assert set(row) <= ALLOWED
    assert len({row["trial_id"] for row in rows}) == 6
    assert {row["task_id"]: row["task_digest"] for row in rows}.keys() == {"jot/well", "jot/fail", "jot/rate"}
    told = json.loads((stored / "run.json").read_bytes())
    assert {row["task_digest"] for row in rows} == {task["digest"] for task in told["tasks"].values()}
    assert {row["task_set_digest"] for row in rows} == {told["task_set_digest"]}


@pytest.mark.usefixtures("stored")
def test_an_error_is_no_failure_and_has_no_reward(run, tmp_path):
    run("results", "latest", "--public", "rows.jsonl")
    names = ("score_eligible", "passed", "reward", "error_type", "infra_failure_type", "has_skills")
    rows = rows_of(tmp_path / "rows.jsonl")
    found = {(row["task_id"], row["condition"]): tuple(row[name] for name in names) for row in rows}
    for condition, has_skills in (("with", True), ("without", False)):
        assert found["jot/well", condition] == (True, True, 1.0, None, None, has_skills)
        assert found["jot/fail", condition] == (True, False, 0.0, None, None, has_skills)
        assert found["jot/rate", condition] == (False, False, None, "infra-rate", "infra-rate", has_skills)


def spoiled(value, name=""):
    """JSON with a secret in every text but those that name a trial, or are one of a few."""
    if isinstance(value, dict):
        kept = {key: spoiled(each, key) for key, each in value.items()}
        return {**kept, "extra": PRIVATE} if name != "verified" else kept
    if isinstance(value, list):
        return [spoiled(each, name) for each in value]
    named = {"skill", "eval", "arm", "status", "role"}
    return f"{PRIVATE} {value}" if isinstance(value, str) and name not in named else value


@pytest.mark.parametrize("file", ["rows.jsonl", "rows.csv"])
def test_no_free_text_of_a_trial_reaches_a_public_row(stored, run, tmp_path, file):
    for path in stored.glob("jot/*/*/outcome.json"):
        outcome = spoiled(json.loads(path.read_bytes()))
        path.write_text(json.dumps({**outcome, "notes": [PRIVATE]}), "utf-8")
    told = json.loads((stored / "run.json").read_bytes())
    kept = {name: told[name] for name in ("tasks", "task_set", "task_set_digest")}
    (stored / "run.json").write_text(json.dumps({**spoiled(told), **kept}), "utf-8")
    assert run("results", "latest", "--public", file)[0] == 0
    text = (tmp_path / file).read_text("utf-8")
    assert text.count("jot/well") == 4
    assert PRIVATE not in text


@pytest.mark.usefixtures("stored")
def test_csv_has_the_same_rows(run, tmp_path):
    run("results", "latest", "--public", "rows.csv")
    run("results", "latest", "--public", "rows.jsonl")
    with (tmp_path / "rows.csv").open(encoding="utf-8", newline="") as lines:
        table = list(csv.DictReader(lines))
    plain = {True: "true", False: "false", None: ""}
    for row, cells in zip(rows_of(tmp_path / "rows.jsonl"), table, strict=True):
        row["tags"] = ";".join(row["tags"])
        wanted = {name: plain[v] if v is None or isinstance(v, bool) else str(v) for name, v in row.items()}
        assert cells == wanted


def test_what_a_run_knows_of_its_tasks_and_their_rewards_is_told(stored, run, tmp_path):
    path = stored / "run.json"
    told = json.loads(path.read_bytes())
    task = {"digest": "sha256:1", "category": "finance", "difficulty": "hard", "tags": ["a", "b"]}
    path.write_text(json.dumps({**told, "task_set": "smoke", "tasks": {"well": task}}), "utf-8")
    outcome = stored / "jot/well/1/outcome.json"
    verified = {"reward": 0.25, "status": 0, "stdout": PRIVATE, "stderr": PRIVATE}
    outcome.write_text(json.dumps({**json.loads(outcome.read_bytes()), "verified": verified}), "utf-8")
    run("results", "latest", "--public", "rows.jsonl")
    (row,) = (r for r in rows_of(tmp_path / "rows.jsonl") if (r["task_id"], r["condition"]) == ("well", "with"))
    wanted = {"task_digest": "sha256:1", "category": "finance", "difficulty": "hard", "tags": ["a", "b"]}
    assert row == {**row, **wanted, "task_set": "smoke", "passed": True, "reward": 0.25}
    assert PRIVATE not in (tmp_path / "rows.jsonl").read_text("utf-8")


def test_a_proof_holds_what_the_rows_were_made_of(stored, run, tmp_path):
    assert run("results", "latest", "--public", "rows.jsonl", "--proof", "proof.zip")[0] == 0
    with zipfile.ZipFile(tmp_path / "proof.zip") as bundle:
        manifest = json.loads(bundle.read("manifest.json"))
        artifacts = {name.removeprefix("artifacts/"): bundle.read(name) for name in bundle.namelist()[1:]}
    assert set(manifest) == MANIFEST
    assert manifest["proof_id"] == json.loads((stored / "digests.json").read_bytes())["run"]
    assert manifest["public_rows"] == rows_of(tmp_path / "rows.jsonl")
    assert artifacts == {p.relative_to(stored).as_posix(): p.read_bytes() for p in stored.rglob("*") if p.is_file()}
    copied = {each["path"]: (each["sha256"], each["bytes"]) for each in manifest["copied_artifacts"]}
    assert copied == {name: (hashlib.sha256(data).hexdigest(), len(data)) for name, data in artifacts.items()}
    assert [each["role"] for each in manifest["participants"]] == ["agent"]
    for ref, row in zip(manifest["private_proof_refs"], manifest["public_rows"], strict=True):
        outcome = json.loads(artifacts[ref["artifact"]])
        assert ref["sha256"] == copied[ref["artifact"]][0]
        assert (ref["trial_id"], row["condition"]) == (row["trial_id"], outcome["arm"])
        assert row["task_id"] == f"jot/{outcome['eval']}"


def test_the_same_run_gives_the_same_proof(stored, run, tmp_path):
    run("results", "latest", "--proof", "one.zip")
    (stored / "run.json").touch()
    run("results", "latest", "--proof", "two.zip")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    assert list(tmp_path.glob(".*.zip*")) == []


def test_a_run_that_is_not_as_it_was_left_has_no_proof(stored, run, tmp_path):
    (stored / "jot/well/1/stderr.txt").write_text("x", "utf-8")
    message = f"error: run {stored.name} is not as it was left and has no proof: see `skillcheck verify`\n"
    assert run("results", "latest", "--proof", "proof.zip") == (3, "", message)
    (stored / "digests.json").unlink()
    assert "is unfinished and has no proof" in run("results", "latest", "--proof", "proof.zip")[2]
    assert not (tmp_path / "proof.zip").exists()


def test_bad_calls_are_one_line(stored, run, tmp_path):
    status, out, err = run("results", "--public", "rows.jsonl")
    assert (status, out) == (2, "")
    assert err.startswith("error: --public and --proof write what a run came to: name one")
    (tmp_path / "file").write_text("", "utf-8")
    for option in ("--public", "--proof"):
        status, out, err = run("results", "latest", option, "file/x.zip")
        assert (status, out) == (2, "")
        assert err == "error: file/x.zip can't be written: File exists\n"
    (stored / "jot/well/1/outcome.json").write_text("{", "utf-8")
    status, _, err = run("results", "latest", "--public", "rows.jsonl")
    assert status == 3
    assert err.endswith("jot/well/1/outcome.json can't be read: it is no JSON\n")
