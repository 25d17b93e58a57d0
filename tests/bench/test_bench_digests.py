"""The runs of benchmarks have the same digests, public rows and proof as those of evals."""

import json

import pytest
from tasks import write

from skillcheck.bench import digest
from skillcheck.evals.workspace.digest import of_set

FILES = {
    "verifier/test.sh": 'cat stars.txt > "$BENCHFLOW_REWARD_TEXT"\n',
    "oracle/solve.sh": "echo 1 > stars.txt\n",
    "environment/sky.txt": "* *\n",
    "environment/skills/charts/SKILL.md": "---\nname: charts\ndescription: Reads charts. Use for stars.\n---\n\nLook\n",
}
AGENT = "sh -c 'cat > /dev/null; echo 0.5 > stars.txt'"


@pytest.fixture
def ran(run, tmp_path):
    """Two arms of one task, of which each trial is given half the reward."""
    folder = write(tmp_path / "sky/tasks/stars", "1.1", FILES)
    words = ("--retries", 0, "--arms", "with,without", "--agent", "command", "--agent-command", AGENT)
    status, out, err = run("bench", "sky", *words)
    assert status == 1, out + err
    (stored,) = (tmp_path / "evals/results").iterdir()
    return folder, stored


def findings(run):
    status, out, _ = run("verify", "--format", "json")
    return status, [(d["path"].rpartition("/")[2], d["rule"], d["message"]) for d in json.loads(out)["diagnostics"]]


def test_a_run_is_verified_with_all_that_it_wrote_and_with_its_tasks(run, ran):
    folder, kept = ran
    assert findings(run) == (0, [])
    known = json.loads((kept / "digests.json").read_bytes())
    assert {"rows.jsonl", "rows.csv"} < set(known["files"])
    assert known["tested"]["tasks"]["stars"]["digest"] == digest.of_task(folder)
    assert known["tested"]["task_set_digest"] == of_set("sky", {"stars": digest.of_task(folder)})
    assert {"harness", "commands", "model"} < set(known["tested"])
    (folder / "environment/sky.txt").write_text("*\n", "utf-8")
    assert findings(run) == (0, [("stars", "changed-subject", "the task stars has changed since")])


def test_a_reward_that_was_edited_contradicts_its_status(run, ran):
    _, kept = ran
    (outcome, _) = sorted(kept.glob("sky/stars/*/outcome.json"))
    outcome.write_text(outcome.read_text("utf-8").replace('"reward": 0.5', '"reward": 1'), "utf-8")
    assert findings(run) == (1, [
        ("outcome.json", "edited-run", "outcome.json was changed after the run (trial 1 of eval stars of sky)"),
        ("outcome.json", "contradictory-result", "'status' is 'failed'; by its verdicts and its class it is 'passed'"),
    ])  # fmt: skip


def test_public_rows_tell_the_task_and_its_reward(run, ran, tmp_path):
    folder, _ = ran
    assert run("results", "latest", "--public", "rows.jsonl", "--proof", "proof.zip")[0] == 0
    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text("utf-8").splitlines()]
    told = {
        "task_id": "stars", "task_digest": digest.of_task(folder), "task_set": "sky", "score_eligible": True,
        "passed": False, "reward": 0.5, "category": "natural-science", "difficulty": "easy", "tags": ["a", "b"],
    }  # fmt: skip
    assert [row for row in rows if row != {**row, **told}] == []
    assert {row["condition"]: row["has_skills"] for row in rows} == {"with": True, "without": False}
