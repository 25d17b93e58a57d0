"""Benchmarks as users run them: `skillcheck bench`, with the tasks of our own and with some that go wrong."""

import csv
import json
import re
import shlex
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from stubs import comes
from tasks import PACKAGES, TASK_MD, write

from skillcheck import schemas
from skillcheck.evals.workspace.sandbox import choose

AUTO = choose("auto")
bwrap = pytest.mark.skipif(AUTO.kind == "none", reason=f"bubblewrap is tested where it works: {AUTO.warning}")
VERIFIER = 'cat stars.txt > "$BENCHFLOW_REWARD_TEXT" || echo 0 > "$BENCHFLOW_REWARD_TEXT"\n'
SKILL = "---\nname: star-charts\ndescription: Reads charts. Use for stars.\n---\n\nLook up.\n"
HOMES = {"1.1": ("oracle", "verifier"), "1.0": ("solution", "tests")}


def a_task(root, name, *, layout="1.1", verifier=VERIFIER, oracle="echo 1 > stars.txt\n", files=None):
    """A task whose reward is what the file stars.txt says, below the folder `tasks`."""
    solution, tests = HOMES[layout]
    programs = {f"{solution}/solve.sh": oracle, f"{tests}/test.sh": verifier}
    skill = {"environment/skills/star-charts/SKILL.md": SKILL, "environment/sky.txt": "* *\n"}
    return write(root / "tasks" / name, layout, {**programs, **skill, **(files or {})})


def agent(script):
    """A shell script as the agent; its prompt is read and left alone."""
    return ("--agent", "command", "--agent-command", shlex.join(("sh", "-c", f"cat > /dev/null; {script}")))


@pytest.fixture
def bench(run):
    """Run the command on the folder `tasks`; returns status, the report as JSON and stderr."""

    def bench(*words, tasks=("tasks",)):
        status, out, err = run("bench", *tasks, "--retries", 0, "--format", "json", *words)
        return status, json.loads(out) if out else None, err

    return bench


def rewards(report):
    return {row["task_id"]: row["reward"] for row in report["details"]}


def stored(root):
    """The folder of the newest run."""
    return max((root / "evals/results").iterdir())


@bwrap
@pytest.mark.parametrize("layout", ["1.0", "1.1"])
def test_our_own_tasks_are_solved_by_their_oracle_and_by_nothing_else(bench, layout):
    home = (str(PACKAGES / f"v{layout}"),)
    status, report, _ = bench("--agent", "oracle", "--validate", "--jobs", 3, tasks=home)
    assert set(rewards(report).values()) == {1}
    assert (status, report["metrics"]["rates"]["with"]["mean_reward"], len(report["details"])) == (0, 1, 3)
    status, report, _ = bench("--agent", "nop", "--jobs", 3, tasks=home)
    assert set(rewards(report).values()) == {0}
    assert status == 1
    Draft202012Validator(schemas.schema("report")).validate(report)


@pytest.mark.parametrize("layout", ["1.0", "1.1"])
def test_a_part_of_the_reward_is_no_pass_unless_the_threshold_says_so(bench, tmp_path, layout):
    a_task(tmp_path, "stars", layout=layout)
    half = agent("echo 0.75 > stars.txt")
    status, report, _ = bench(*half)
    rates = report["metrics"]["rates"]["with"]
    assert (status, rates["pass_rate"], rates["full_rate"], rates["any_rate"], rates["mean_reward"]) == (
        1,
        0,
        0,
        1,
        0.75,
    )
    assert report["trials"][0]["checks"] == [{"text": "verifier", "passed": False, "evidence": "reward 0.75"}]
    for least, passes in ((0.75, 0), (0, 0), (0.8, 1)):
        status, report, _ = bench(*half, "--pass-threshold", least)
        assert (status, report["details"][0]["reused"] != "") == (passes, True), least
        (outcome,) = stored(tmp_path).rglob("outcome.json")
        assert json.loads(outcome.read_bytes())["status"] == report["details"][0]["status"]


FAULTY = {
    "silent": ("true\n", "verifier-output", "the verifier left neither reward.txt nor reward.json"),
    "nan": ('echo NaN > "$BENCHFLOW_REWARD_TEXT"\n', "verifier-output", "reward.txt says NaN; it must say"),
    "seven": ('echo 7 > "$BENCHFLOW_REWARD_TEXT"\n', "verifier-output", "reward.txt says 7; it must say a number"),
    "two-lines": ('printf "1\\n1\\n" > "$BENCHFLOW_REWARD_TEXT"\n', "verifier-output", "reward.txt has 2 lines"),
    "crash": ("echo oh no >&2\nexit 3\n", "verifier-crash", "the verifier ended with status 3; it must end with 0"),
    "hang": ("sleep 60\n", "verifier-timeout", "the verifier was stopped after 1 seconds"),
    "deleted": (f'{VERIFIER}rm "$BENCHFLOW_REWARD_TEXT"\n', "verifier-output", "the verifier left neither"),
}


def test_each_fault_of_a_verifier_is_an_error_with_its_reason_and_the_others_are_run(bench, tmp_path):
    brief = TASK_MD.replace("timeout_sec: 30", "timeout_sec: 10")
    for name, (script, _, _) in FAULTY.items():
        a_task(tmp_path, name, verifier=script, files={"task.md": brief})
    forks = '(sleep 60; echo 0 > "$BENCHFLOW_REWARD_TEXT") & echo 1 > "$BENCHFLOW_REWARD_TEXT"\n'
    a_task(tmp_path, "forks", verifier=forks, files={"task.md": brief})
    status, report, _ = bench(*agent("echo 1 > stars.txt"), "--verifier-timeout-multiplier", 0.1, "--jobs", 4)
    found = {trial["eval"]: trial for trial in report["trials"]}
    for name, (_, how, message) in FAULTY.items():
        assert (found[name]["status"], found[name]["class"]) == ("error", how), name
        assert found[name]["message"].startswith(message)
    assert (found["forks"]["status"], status) == ("passed", 3)
    rates = report["metrics"]["rates"]["with"]
    assert (rates["pass_rate"], rates["eligible"], rates["infra_failed"]) == (1, 1, len(FAULTY))
    details = {
        path.stem: json.loads(path.read_bytes()) for path in stored(tmp_path).glob("agentcompass/details/*.json")
    }
    crash = details["crash"]
    assert (crash["correct"], crash["score"], crash["status"]) == (False, None, "EVAL_ERROR")
    assert crash["extra"]["verify_log"] == {
        "test_stdout": "",
        "test_stderr": "oh no\n",
        "test_return_code": 3,
        "reward_error": found["crash"]["message"],
    }
    assert crash["error"] == found["crash"]["message"]
    assert details["forks"]["extra"]["verify_log"]["reward"] == 1
    lines = (stored(tmp_path) / "agentcompass/summary.md").read_text().splitlines()
    assert lines == [
        "| Model | Total | Evaluated | Error | mean_score |",
        "| --- | --- | --- | --- | --- |",
        f"| command | {len(FAULTY) + 1} | 1 | {len(FAULTY)} | 1.0000 |",
    ]


def test_the_report_shows_why_a_trial_is_an_error(run, tmp_path):
    script, how, message = FAULTY["crash"]
    a_task(tmp_path, "stars", verifier=script)
    status, out, _ = run("bench", "tasks", *agent("true"))
    assert status == 3
    assert re.search(rf"^  \S+ +stars +1 +{how} +{re.escape(message)}", out, re.MULTILINE), out


def test_a_trial_that_another_set_had_goes_by_the_name_of_this_one(bench, tmp_path):
    script = "test -e .agents/skills/star-charts/SKILL.md && echo 1 > stars.txt; true"
    words = (*agent(script), "--arms", "with,without")
    a_task(tmp_path, "stars")
    bench(*words)
    (tmp_path / "tasks").rename(tmp_path / "sky")
    a_task(tmp_path, "suns").rename(tmp_path / "sky/suns")
    _, report, _ = bench(*words, tasks=("sky",))
    assert {row["task_id"] for row in report["details"] if row["reused"]} == {"stars"}
    assert {row["task_set"] for row in report["details"]} == {"sky"}
    (study,) = report["studies"]
    assert (study["skill"], [task["name"] for task in study["tasks"]]) == ("sky", ["stars", "suns"])


def test_an_agent_whose_time_is_up_is_verified_and_one_that_cannot_work_is_an_error(bench, tmp_path):
    a_task(tmp_path, "stars")
    late = agent("echo 1 > stars.txt; sleep 60")
    status, report, _ = bench(*late, "--execute-timeout-multiplier", 0.01)
    (row,) = report["details"]
    assert (row["reward"], row["passed"], row["class"], status) == (1, True, "agent-timeout", 0)
    status, report, _ = bench(*agent("echo 401 unauthorized >&2; exit 1"))
    (row,) = report["details"]
    assert (row["reward"], row["passed"], row["class"], status) == (None, None, "infra-auth", 3)
    detail = json.loads((stored(tmp_path) / "agentcompass/details/stars.json").read_bytes())
    assert (detail["status"], detail["correct"]) == ("RUN_ERROR", False)
    assert report["metrics"]["rates"]["with"]["pass_rate"] is None


def test_arms_get_the_same_prompt_and_only_one_the_skill(bench, tmp_path):
    for name in ("a", "b"):
        a_task(tmp_path, name)
    prompts = tmp_path / "prompts"
    prompts.mkdir()
    script = f"""cat > {prompts}/$$; test -e .agents/skills/star-charts/SKILL.md && echo 1 > stars.txt; true"""
    words = ("--agent", "command", "--agent-command", shlex.join(("sh", "-c", script)), "--sandbox", "none")
    status, report, _ = bench(*words, "--arms", "with,without")
    texts = [path.read_bytes() for path in prompts.iterdir()]
    assert (len(texts), len(set(texts))) == (4, 1)
    assert texts[0].endswith(b"\n\nCount the stars.\n")
    assert {(row["task_id"], row["arm"]): row["reward"] for row in report["details"]} == {
        ("a", "with"): 1, ("a", "without"): 0, ("b", "with"): 1, ("b", "without"): 0,
    }  # fmt: skip
    assert (status, report["studies"][0]["against"]) == (0, "without")
    assert report["studies"][0]["effect"]["delta"] == 1
    assert {path.parent.name for path in stored(tmp_path).glob("agentcompass/*/summary.md")} == {"with", "without"}


@pytest.mark.parametrize(
    ("arm", "place"),
    [("docs", "docs/star-charts/SKILL.md"), ("distractor", ".agents/skills/sea-charts/SKILL.md")],
)
def test_other_arms_stage_what_they_are_named_for(bench, tmp_path, arm, place):
    a_task(tmp_path, "a")
    a_task(tmp_path, "b", files={"environment/skills/sea-charts/SKILL.md": SKILL.replace("star", "sea")})
    there = agent(f"test -e {place} && echo 1 > stars.txt; true")
    _, report, _ = bench(*there, "--arms", f"with,{arm}")
    found = {(row["task_id"], row["arm"]): row["reward"] for row in report["details"]}
    assert (found["a", "with"], found["a", arm]) == (0, 1)


def test_an_agent_that_writes_its_own_skill_is_offered_it(bench, tmp_path):
    a_task(tmp_path, "stars")
    script = "test -e .agents/skills/own-notes/SKILL.md && echo 1 > stars.txt || echo notes > SKILL.md"
    _, report, _ = bench(*agent(script), "--arms", "with,self")
    assert {row["arm"]: row["reward"] for row in report["details"]} == {"with": 0, "self": 1}


def test_a_skill_that_the_environment_brings_fails_the_experiment(bench, tmp_path):
    copies = "FROM ubuntu\nWORKDIR /root\nCOPY leak /root/.claude/skills/leak\n"
    files = {"environment/Dockerfile": copies, "environment/leak/SKILL.md": SKILL}
    a_task(tmp_path, "stars", files=files)
    status, report, _ = bench(*agent("true"), "--arms", "with,without")
    assert {(trial["class"], status) for trial in report["trials"]} == {("harness-config", 3)}
    assert "the arm is not isolated: .claude/skills/leak in the workspace" in report["trials"][0]["message"]


def test_tasks_are_sampled_and_sharded_by_their_ids(bench, tmp_path):
    for name in "dbeac":
        a_task(tmp_path, name, layout="1.0" if name == "e" else "1.1")

    def planned(*words):
        status, report, _ = bench("--dry-run", "--agent", "nop", *words)
        assert status == 0
        return "".join(task["task"] for task in report["tasks"])

    assert planned() == "abcde"
    assert [planned("--shard", f"{part}/3") for part in (1, 2, 3)] == ["ad", "be", "c"]
    assert planned("--sample-ids", "c, a") == "ac"
    assert (planned("--data-version", "1.0"), planned("--data-version", "1.1")) == ("e", "abcd")
    assert not (tmp_path / "evals").exists()


def test_several_trials_are_told_as_pass_at_k_and_as_the_best_or_the_mean(bench, run, tmp_path):
    a_task(tmp_path, "stars")
    count = tmp_path / "count"
    script = f"echo x >> {count}; if [ $(wc -l < {count}) = 2 ]; then echo 1 > stars.txt; fi"
    words = (*agent(script), "--sandbox", "none", "--k", 2)
    _, report, _ = bench(*words)
    assert [row["reward"] for row in report["details"]] == [0, 1]
    detail = json.loads((stored(tmp_path) / "agentcompass/details/stars.json").read_bytes())
    assert (detail["score"], detail["correct"]) == (1, True)
    assert [each["score"] for each in detail["extra"]["attempts"]] == [0, 1]
    status, out, _ = run("bench", "tasks", *words, "--avgk")
    assert "with: pass@1 50.0%, pass^1 50.0% of 1 tasks\nwith: pass@2 100.0%, pass^2 0.0% of 1 tasks\n" in out
    detail = json.loads((stored(tmp_path) / "agentcompass/details/stars.json").read_bytes())
    assert (detail["score"], detail["correct"], status) == (0.5, False, 1)
    assert len(count.read_text().splitlines()) == 2


def test_a_run_that_was_done_is_not_paid_again_until_its_task_changes(bench, tmp_path):
    task = a_task(tmp_path, "stars")
    calls = tmp_path / "calls"
    words = (*agent(f"echo x >> {calls}; echo 1 > stars.txt"), "--sandbox", "none")
    bench(*words)
    _, report, _ = bench(*words)
    assert report["details"][0]["reused"]
    assert len(list(stored(tmp_path).rglob("outcome.json"))) == 1
    (task / "environment/sky.txt").write_text("*\n")
    bench(*words)
    assert calls.read_text() == "x\nx\n"


def test_a_run_that_was_killed_is_resumed_and_equals_one_that_ran_through(bench, tmp_path):
    names = [f"t{number}" for number in range(6)]
    for name in names:
        a_task(tmp_path, name)
    (tmp_path / "calls").mkdir()
    script = f"touch {tmp_path}/calls/$$-$(date +%s%N); sleep 0.2; echo 0.5 > stars.txt"
    words = (*agent(script), "--sandbox", "none", "--retries", "0")
    argv = (sys.executable, "-m", "skillcheck", "bench", "tasks", *words)
    killed = subprocess.Popen(argv, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    stored_ones = "evals/results/*/*/[!.]*/[!.]*/outcome.json"  # hidden ones are being written
    assert comes(lambda: len(list(tmp_path.glob(stored_ones))) >= 2, 30)
    killed.kill()
    killed.communicate()
    finished = {path.parts[-3] for path in tmp_path.glob(stored_ones)}
    status, report, _ = bench(*words)
    assert {row["task_id"] for row in report["details"] if row["reused"]} == finished
    assert rewards(report) == dict.fromkeys(names, 0.5)
    assert len(list((tmp_path / "calls").iterdir())) <= len(names) + 1
    assert status == 1


def test_rows_are_there_for_people_who_count_themselves(bench, tmp_path):
    a_task(tmp_path, "stars")
    _, report, _ = bench(*agent("echo 0.5 > stars.txt"))
    run = stored(tmp_path)
    assert (run / "digests.json").exists()
    (row,) = map(json.loads, (run / "rows.jsonl").read_text().splitlines())
    assert row == report["details"][0]
    (cells,) = csv.DictReader((run / "rows.csv").read_text().splitlines())
    assert (cells["task_id"], cells["reward"], cells["tags"], cells["tokens"]) == ("stars", "0.5", "a|b", "")
    assert {(each["by"], each["value"], each["mean_reward"]) for each in report["slices"]} == {
        ("category", "natural-science", 0.5), ("difficulty", "easy", 0.5), ("tags", "a", 0.5), ("tags", "b", 0.5),
    }  # fmt: skip


def test_a_run_is_verified_and_an_edit_is_found(bench, run, tmp_path):
    a_task(tmp_path, "stars")
    bench(*agent("echo 0.5 > stars.txt; sleep 60"), "--execute-timeout-multiplier", 0.01, "--pass-threshold", 0.5)
    assert run("verify")[0] == 0
    (outcome,) = stored(tmp_path).rglob("outcome.json")
    outcome.write_text(outcome.read_text().replace('"reward": 0.5', '"reward": 0.9'))
    status, out, _ = run("verify")
    assert (status, "edited-run" in out) == (1, True)


def test_the_public_rows_of_a_run_have_what_its_tasks_say_of_themselves(bench, run, tmp_path):
    a_task(tmp_path, "stars")
    bench(*agent("echo 0.5 > stars.txt"))
    assert run("results", "latest", "--public", "rows.jsonl")[0] == 0
    (row,) = map(json.loads, (tmp_path / "rows.jsonl").read_text().splitlines())
    assert (row["task_id"], row["condition"], row["reward"]) == ("stars", "with", 0.5)
    assert (row["category"], row["difficulty"], row["tags"]) == ("natural-science", "easy", ["a", "b"])
    assert row["task_digest"].startswith("sha256:")


def test_another_command_stands_in_for_an_agent_and_needs_none_of_its_keys(bench, tmp_path, monkeypatch):
    a_task(tmp_path, "stars")
    done = {"type": "result", "subtype": "success", "is_error": False, "result": "done", "total_cost_usd": 2.5}
    script = f"echo 1 > stars.txt; echo {shlex.quote(json.dumps(done))}"
    monkeypatch.setenv("SKILLCHECK_AGENT_COMMAND", shlex.join(("sh", "-c", script)))
    status, report, _ = bench("--agent", "claude-code")
    (row,) = report["details"]
    assert (row["reward"], row["cost_usd"], status) == (1, 2.5, 0), report["trials"]


def test_what_a_task_may_have_is_the_less_of_both_and_both_are_told(bench, tmp_path):
    a_task(tmp_path, "stars")
    words = ("--agent", "oracle", "--max-cpus", 1, "--max-memory-mb", 4096)
    assert bench(*words)[0] == 0
    told = json.loads((stored(tmp_path) / "run.json").read_bytes())["tasks"]["stars"]
    assert (told["asked"]["cpus"], told["asked"]["memory_mb"]) == (2, 512)
    assert (told["caps"], told["granted"]) == ({"cpus": 1, "memory_mb": 4096}, {"cpus": 1, "memory_mb": 512})
    assert re.fullmatch("sha256:[0-9a-f]{64}", told["digest"])


def test_options_come_from_a_file_and_the_command_line_counts_more(bench, tmp_path):
    for name in "abc":
        a_task(tmp_path, name)
    config = tmp_path / "bench.yaml"
    config.write_text("tasks: [tasks]\nsample_ids: [a, c]\nk: 2\nagent: oracle\ntask-concurrency: 2\n")
    status, report, _ = bench("--config", config, tasks=())
    assert (status, len(report["details"])) == (0, 4)
    _, report, _ = bench("--config", config, "--k", 1, "--sample-ids", "b", tasks=())
    assert rewards(report) == {"b": 1}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("k: 1\nsample-idz: a\n", "bench.yaml:2: unknown key 'sample-idz'; did you mean 'sample-ids'"),
        ("k: 1\nk: 2\n", "bench.yaml:2: 'k' stands twice"),
        ("jobs: 1\ntask_concurrency: 2\n", "bench.yaml:2: 'task_concurrency' stands twice"),
        ("k: many\n", "invalid value for '--k': 'many' is not a valid integer range"),
        ("k:\n  a: 1\n", "bench.yaml:1: k takes a value or a list, not {'a': 1}"),
        ("- k\n", "bench.yaml: it must hold options by name, as `k: 3`"),
        ("k: [\n", "bench.yaml:2: not YAML: "),
    ],
)
def test_a_file_of_options_with_a_fault_is_told(run, tmp_path, text, says):
    (tmp_path / "bench.yaml").write_text(text)
    status, out, err = run("bench", "tasks", "--config", "bench.yaml")
    assert (status, out) == (2, "")
    assert err.startswith(f"error: {says}")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "no tasks: name their folders, or take --dataset-source-dir or --dataset-zip-url"),
        (("none",), "'none' is no folder; name a task, or a folder with tasks"),
        (("tasks", "--sample-ids", "strs"), "no task 'strs' in tasks; did you mean 'stars'"),
        (("tasks", "--shard", "3/2"), "invalid value for '--shard': '3/2' is no part; give the part from 1"),
        (("tasks", "--data-version", "1.0"), "no task has the layout 1.0; all have 1.1"),
        (("tasks", "--agent", "claude-cod"), "unknown harness 'claude-cod'; did you mean 'claude-code'"),
        (("tasks", "--arms", "with,withot"), "unknown arm 'withot'; did you mean 'without'"),
        (("--dataset-zip-url", "ftp://x/a.zip"), "'ftp://x/a.zip' can't be fetched: it must begin with"),
        (("tasks", "--agent", "oracle,nop"), "unknown harness 'oracle,nop'"),
        (
            ("tasks", "--agent", "nop", "--agent-command", "true"),
            "--agent-command is for --harness command, not for nop",
        ),
        (("tasks", "--env", "A B"), "invalid value for '--env': 'A B' is no variable's name"),
        (("tasks", "--k", 1001), "invalid value for '--k': 1001 is not in the range 1<=x<=1000"),
        (
            ("tasks", "--execute-timeout-multiplier", "inf"),
            "invalid value for '--execute-timeout-multiplier': inf is not in the range 0<x<=1000",
        ),
    ],
)
def test_a_wrong_wish_is_told_in_one_line(run, tmp_path, words, says):
    a_task(tmp_path, "stars")
    status, out, err = run("bench", *words)
    assert (status, out) == (2, "")
    assert err.startswith(f"error: {says}")
    assert err.count("\n") == 1


def test_a_data_set_is_found_where_agentcompass_keeps_it_and_in_a_zip(bench, tmp_path):
    a_task(tmp_path / "root/skillsbench", "stars")
    _, report, _ = bench("--dataset-source-dir", "root", "--agent", "oracle", tasks=())
    assert rewards(report) == {"stars": 1}
    with zipfile.ZipFile(tmp_path / "set.zip", "w") as file:
        for path in (tmp_path / "root").rglob("*"):
            file.write(path, f"set-main/{path.relative_to(tmp_path / 'root').as_posix()}")
    url = (tmp_path / "set.zip").as_uri()
    _, report, _ = bench("--dataset-zip-url", url, "--agent", "oracle", tasks=())
    assert rewards(report) == {"stars": 1}


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("tasks/../../out", b"x", "set.zip is not unpacked: entry 'tasks/../../out' leaves the folder"),
        ("tasks/bomb", b"0" * (8 << 20), "set.zip is not unpacked: entry 'tasks/bomb' grows"),
    ],
)
def test_a_zip_that_leads_outside_or_is_a_bomb_is_refused(run, tmp_path, name, data, says):
    with zipfile.ZipFile(tmp_path / "set.zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(name, data)
    status, _, err = run("bench", "--dataset-zip-url", (tmp_path / "set.zip").as_uri())
    assert (status, err.startswith(f"error: {says}")) == (2, True), err


def test_a_broken_task_is_told_with_its_line_and_the_others_are_run(bench, tmp_path):
    a_task(tmp_path, "stars")
    a_task(tmp_path, "moons", files={"task.md": TASK_MD.replace("timeout_sec: 30", "timeout_sec: soon")})
    a_task(tmp_path, "suns", files={"environment/Dockerfile": "FROM ubuntu\nRUN make suns\n"})
    status, report, _ = bench("--agent", "oracle")
    assert rewards(report) == {"stars": 1}
    assert {(each["path"], each["line"], each["rule"]) for each in report["diagnostics"]} == {
        ("tasks/moons/task.md", 8, "task-settings"), ("tasks/suns/task.md", 1, "task-not-runnable"),
    }  # fmt: skip
    assert "line 2 of its Dockerfile runs 'make suns'" in report["diagnostics"][1]["message"]
    assert status == 2


def test_tasks_that_are_not_sound_are_left_out(bench, tmp_path):
    a_task(tmp_path, "stars")
    a_task(tmp_path, "wrong", oracle="echo 0.5 > stars.txt\n")
    a_task(tmp_path, "free", files={"environment/stars.txt": "1\n"})
    a_task(tmp_path, "torn", verifier="exit 1\n")
    status, report, _ = bench(*agent("echo 1 > stars.txt"), "--validate", "--jobs", 4)
    assert rewards(report) == {"stars": 1}
    assert {(each["path"], each["rule"], each["message"].partition(": ")[2]) for each in report["diagnostics"]} == {
        ("tasks/wrong/oracle/solve.sh", "task-failing-oracle", "the reward is 0.5"),
        (
            "tasks/torn/oracle/solve.sh",
            "task-failing-oracle",
            "verifier-crash: the verifier ended with status 1; it must end with 0 whatever the reward is",
        ),
        ("tasks/free/verifier/test.sh", "task-free-reward", ""),
    }
    assert status == 2


@bwrap
def test_a_work_folder_is_not_put_over_the_agent(bench, tmp_path):
    """Over /usr/bin nothing is ever put, and elsewhere not where the agent's program lies."""
    covering = Path(sys.executable).resolve().parent
    a_task(tmp_path, "stars", files={"environment/Dockerfile": f"FROM ubuntu\nWORKDIR {covering}\n"})
    status, report, _ = bench("--agent", "command", "--agent-command", f"{sys.executable} -c pass")
    assert (status, report["trials"]) == (2, [])
    (finding,) = report["diagnostics"]
    assert re.search("its work folder is (put over|')", finding["message"])


def test_a_variable_that_a_task_takes_must_be_set(bench, tmp_path, monkeypatch):
    given = TASK_MD.replace("  timeout_sec: 30\n", "  timeout_sec: 30\n  env:\n    HUE: ${STUB_HUE}\n")
    a_task(tmp_path, "stars", verifier='echo "$HUE" > "$BENCHFLOW_REWARD_TEXT"\n', files={"task.md": given})
    monkeypatch.delenv("STUB_HUE", raising=False)
    status, report, _ = bench("--agent", "nop")
    assert "it takes STUB_HUE from your environment, where that is not set" in report["diagnostics"][0]["message"]
    assert status == 2
    monkeypatch.setenv("STUB_HUE", "0.25")
    assert rewards(bench("--agent", "nop")[1]) == {"stars": 0.25}


IMAGE = "stub/stars@sha256:" + "0" * 64
ENGINE = """#!/usr/bin/env python3
# plays docker: what it is told to run, it runs here, with the mounted folders where they really are
import os, subprocess, sys
words, mounts = sys.argv[1:], {}
with open(os.environ.get("STUB_LOG", "LOG"), "a") as log:
    print(*words, file=log)
if words[0] == "rm":
    sys.exit(0)
flags = words[1:]
takes = {"--pull", "--name", "--cpus", "--memory", "--network", "--gpus", "--mount", "--env", "--workdir"}
while flags[0].startswith("--"):
    flag = flags.pop(0)
    value = flags.pop(0) if flag in takes else ""
    if flag == "--mount":
        named = dict(part.partition("=")[::2] for part in value.split(","))
        mounts[named["target"]] = named["source"]
    elif flag == "--workdir":
        workdir = value
image, *argv = flags
if argv[0] == "cp":
    sys.exit(subprocess.run(["cp", "-a", "FILES/.", mounts["/skillcheck-work"]]).returncode)
env = {**os.environ, "PATH": os.environ.get("PATH", "/usr/bin:/bin")}
sys.exit(subprocess.run(argv, cwd=mounts[workdir], env=env).returncode)
"""


def test_in_a_container_the_image_has_the_files_and_its_tag_must_be_pinned(bench, tmp_path, monkeypatch):
    a_task(tmp_path, "stars", files={"environment/Dockerfile": "FROM ubuntu\nRUN make sky\nWORKDIR /app\n"})
    (tmp_path / "files").mkdir()
    (tmp_path / "files/sky.txt").write_text("*\n")
    (tmp_path / "bin").mkdir()
    engine = tmp_path / "bin/docker"
    engine.write_text(ENGINE.replace("LOG", str(tmp_path / "log")).replace("FILES", str(tmp_path / "files")))
    engine.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:/usr/bin:/bin")
    words = (*agent("test -e sky.txt && echo 1 > stars.txt"), "--environment", "docker")
    status, report, _ = bench(*words, "--image-template", "stub/{task}:latest")
    assert "image 'stub/stars:latest' is not pinned: a tag can name another" in report["diagnostics"][0]["message"]
    assert (status, (tmp_path / "log").exists()) == (2, False)
    status, report, _ = bench(*words, "--image-template", IMAGE.replace("stars", "{task}"), "--max-cpus", 1)
    assert (rewards(report), status) == ({"stars": 1}, 0), report["trials"]
    seeded, worked, verified, removed = (tmp_path / "log").read_text().splitlines()
    assert f"--workdir /app {IMAGE} sh -c" in worked
    assert "--cpus 1 --memory 512m" in worked
    assert "target=/verifier" not in worked
    assert "target=/logs" not in worked
    assert "target=/verifier" in verified
    assert removed.startswith("rm --force skillcheck-")
    assert seeded.endswith("cp -a /app/. /skillcheck-work")


def test_eighty_seven_tasks_are_listed_and_checked_in_no_time(bench, tmp_path):
    for number in range(87):
        a_task(tmp_path, f"task-{number:02}", layout="1.0" if number % 2 else "1.1")
    began = time.monotonic()
    status, report, _ = bench("--dry-run", "--agent", "nop")
    assert (status, len(report["tasks"]), report["diagnostics"]) == (0, 87, [])
    assert time.monotonic() - began < 5
