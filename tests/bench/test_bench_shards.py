"""Shards of a benchmark, run in checkouts of their own and merged."""

import json
import shlex

import pytest
from tasks import TASK_MD, write

TASKS = "abc"
AGENT = shlex.join(("sh", "-c", "cat > /dev/null; ls .agents/skills/* && echo 0.5 > stars.txt; true"))
WORDS = ("--agent", "command", "--agent-command", AGENT, "--arms", "with,distractor", "--avgk", "--k", 2, "--jobs", 4)
TIMES = ("seconds", "started", "message")


@pytest.fixture
def bench(run, tmp_path, monkeypatch):
    """Run tasks in a checkout; returns the status and the folder of the run."""

    def bench(checkout, *words):
        root = tmp_path / checkout / "sky"
        for name in TASKS:
            md = TASK_MD.replace("natural-science", "mathematics") if name == "b" else TASK_MD
            skill = f"---\nname: s-{name}\ndescription: Reads charts. Use for stars.\n---\n\nLook\n"
            test = 'cat stars.txt > "$BENCHFLOW_REWARD_TEXT" || echo 0 > "$BENCHFLOW_REWARD_TEXT"\n'
            own = {f"environment/skills/s-{name}/SKILL.md": skill, "environment/sky.txt": "*\n"}
            write(root / "tasks" / name, "1.1", {"task.md": md, "verifier/test.sh": test, **own})
        monkeypatch.chdir(root)
        status, _, err = run("bench", "tasks", "--retries", 0, "--sandbox", "none", *WORDS, *words)
        assert status in {0, 1}, err
        return status, max((root / "evals/results").iterdir())

    return bench


def contents(run):
    """The text of a run's tables, and the outcomes, without what differs from run to run."""
    rows = [json.loads(line) for line in (run / "rows.jsonl").read_text("utf-8").splitlines()]
    outcomes = {str(path.relative_to(run)): json.loads(path.read_bytes()) for path in run.rglob("outcome.json")}
    timed = [*rows, *outcomes.values()]
    tables = {str(path.relative_to(run)): path.read_text("utf-8") for path in (run / "agentcompass").rglob("*.*")}
    columns = (run / "rows.csv").read_text("utf-8").partition("\n")[0]
    return [{k: v for k, v in each.items() if k not in TIMES} for each in timed], sorted(outcomes), tables, columns


def subjects(run):
    """What was tested, without the folders of the checkouts."""
    found = json.loads((run / "digests.json").read_bytes())["tested"]
    for task in found["tasks"].values():
        assert task.pop("folder")
    return found


def test_merged_shards_of_a_benchmark_equal_one_run(bench, run):
    _, whole = bench("whole")
    parts = [bench(f"part-{part}", "--shard", f"{part}/4")[1] for part in (4, 2, 3, 1)]
    status, out, err = run("merge", *parts, "--format", "json")
    assert status == 1, err
    report = json.loads(out)
    merged = max(parts[-1].parent.iterdir())
    assert (merged.name, len(report["trials"])) == (report["metrics"]["run"], 12)
    one, other = contents(whole), contents(merged)
    assert sorted(map(str, one[0])) == sorted(map(str, other[0]))
    assert one[0][: len(one[1])] == other[0][: len(other[1])]
    assert one[1:] == other[1:]
    assert subjects(whole) == subjects(merged)
    assert [row["reward"] for row in one[0][:12]].count(0.5) == 12
    assert run("verify", "latest")[0] == 0
    assert run("results", "latest", "--public", "rows.csv", "--proof", "proof.zip")[0] == 0


def test_a_shard_without_tasks_and_a_set_without_any_that_can_be_run_are_told_apart(bench, run):
    status, empty = bench("part", "--shard", "4/4")
    assert (status, (empty / "rows.jsonl").read_text("utf-8")) == (0, "")
    status, out, _ = run("bench", "tasks", "--shard", "2/3", *WORDS, "--dry-run")
    assert (status, "\nshard: 2/3, 1 of 3 tasks\n" in out) == (0, True)
    assert run("bench", "tasks", "--shard", "4/4", *WORDS, "--environment", "docker")[0] == 2
