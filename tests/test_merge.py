"""`behavioral --shard` and `skillcheck merge`: what several machines did is what one would have done."""

import json
import shutil
import signal
from pathlib import Path

import pytest
from catalogs import git, skillcheck, write
from jsonschema import Draft202012Validator
from stubs import comes
from trials import GRADER, an_eval, behavioral, calls_of, catalog, command, folders, outcomes

from skillcheck import schemas
from skillcheck.evals.store import chain

SAYS = {"expectations": ["It says 'done'", "It says 'farewell'"]}
EVALS = (an_eval(1, "well"), an_eval(2, "well", **SAYS), an_eval(3, "rate"), an_eval(4, "fail"), an_eval(5, "well"))
WORDS = ("--grader-command", GRADER, "--retries", "0", "--sandbox", "none")
SHARDS = ("1/3", "2/3", "3/3")
TIMES = {"seconds", "started", "cost_usd", "time_used", "run", "trial_id", "ratios", "costs"}


def without_times(value):
    """A JSON value without what differs from run to run, and what follows from that."""
    if isinstance(value, dict):
        return {name: without_times(each) for name, each in value.items() if name not in TIMES}
    return [without_times(each) for each in value] if isinstance(value, list) else value


def run_of(root):
    """The newest run of a catalog."""
    return max((root / "evals/results").iterdir())


def told(path):
    return json.loads(path.read_bytes())


def edit(folder, **changes):
    """Make run.json say something else, as if the run had been made so."""
    path = folder / "run.json"
    path.write_text(json.dumps({**told(path), **changes}), "utf-8")
    assert chain.seal(folder) == ()


def home_of(name):
    """The checkout of a shard."""
    return name.replace("/", "-")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """One run of all evals, and the three shards of another, each in a checkout of its own."""
    home = tmp_path_factory.mktemp("made")
    work = {"whole": (), **{home_of(name): ("--shard", name) for name in SHARDS}}
    for name in work:
        catalog(home / name, *EVALS)
    ran = {name: behavioral(home / name, *WORDS, *words)[0] for name, words in work.items()}
    assert ran == {"whole": 3, "1-3": 1, "2-3": 1, "3-3": 3}
    return home


@pytest.fixture
def shards(made, tmp_path):
    """The runs of the shards below one folder, as if they had been downloaded; the working directory has no other."""
    for name in SHARDS:
        source = run_of(made / home_of(name))
        shutil.copytree(source, tmp_path / "shards" / source.name)
    return sorted((tmp_path / "shards").iterdir(), key=lambda path: told(path / "run.json")["settings"]["shard"])


@pytest.fixture
def refused(run, tmp_path):
    """Merge what can't be merged; returns the message."""

    def refused(*words):
        status, out, err = run("merge", *words)
        assert (status, out) == (2, "")
        assert not (tmp_path / "evals/results").exists()
        assert err.startswith("error: nothing is merged: ")
        return err.removeprefix("error: nothing is merged: ").strip()

    return refused


@pytest.fixture(scope="module")
def merged(made):
    """A checkout of its own into which the three shards were merged, and what was printed."""
    root = catalog(made / "merged", *EVALS)
    paths = [str(run_of(made / home_of(name))) for name in reversed(SHARDS)]
    return root, skillcheck("merge", *paths, "--format", "json", cwd=root)


def test_merged_shards_equal_one_run_but_for_times_and_names(made, merged):
    root, (status, out, err) = merged
    assert (status, err) == (3, b"")
    one, other = run_of(made / "whole"), run_of(root)
    assert {key[1:]: without_times(each) for key, each in outcomes(root).items()} == {
        key[1:]: without_times(each) for key, each in outcomes(made / "whole").items()
    }
    names = [sorted(str(path.relative_to(run)) for path in run.rglob("*")) for run in (one, other)]
    assert names[0] == names[1]
    assert told(one / "digests.json")["tested"] == told(other / "digests.json")["tested"]
    says = told(other / "run.json")
    parts = [run_of(made / home_of(name)).name for name in SHARDS]
    assert says.pop("merged") == parts
    assert says == told(one / "run.json")
    Draft202012Validator(schemas.schema("report")).validate(json.loads(out))


def test_the_report_of_a_merge_is_that_of_results_and_of_one_run(made, merged, run, monkeypatch):
    root, (_, out, _) = merged
    monkeypatch.chdir(root)
    found = run("results", "latest", "--format", "json")[1]
    assert found.encode() == out
    monkeypatch.chdir(made / "whole")
    one = run("results", "latest", "--format", "json")[1]
    of_both = ({**json.loads(text), "notes": []} for text in (one, found))  # they name the shards
    assert without_times(next(of_both)) == without_times(next(of_both))


def test_a_merged_trial_is_byte_for_byte_that_of_its_shard(made, merged):
    root, _ = merged
    for path in run_of(root).glob("jot/*/*/*"):
        inside = path.relative_to(run_of(root))
        (source,) = (p for name in SHARDS if (p := run_of(made / home_of(name)) / inside).exists())
        assert path.read_bytes() == source.read_bytes()


def test_a_merged_run_is_verified_and_has_rows_and_a_proof_of_them(made, merged, run, monkeypatch):
    root, _ = merged
    monkeypatch.chdir(root)
    status, out, _ = run("verify", "--format", "json")
    assert (status, json.loads(out)["diagnostics"]) == (0, [])
    rows = []
    for home in (root, made / "whole"):
        monkeypatch.chdir(home)
        assert run("results", "latest", "--public", "rows.jsonl", "--proof", "proof.zip")[0] == 0
        rows.append([json.loads(line) for line in Path("rows.jsonl").read_text("utf-8").splitlines()])
    assert without_times(rows[0]) == without_times(rows[1])
    assert len(rows[0]) == 5


def test_a_dry_run_tells_the_shard_of_the_evals_that_can_be_run(tmp_path, run):
    catalog(tmp_path, *EVALS)

    def planned(*words):
        status, out, _ = run(
            "behavioral", "--harness", "nop", "--dry-run", *words, "--format", "text", "--format", "json=x"
        )
        assert status == 0
        return out, [each["eval"] for each in told(tmp_path / "x")["plan"]]

    words = ("--grader-command", GRADER, "--shard")
    assert [planned(*words, name)[1] for name in SHARDS] == [["1", "4"], ["2", "5"], ["3"]]
    assert "\nshard: 2/3, 2 of 5 evals\n" in planned(*words, "2/3")[0]
    assert "shard" not in planned(*words, "1/1")[0]
    out, evals = planned("--grader", "none", "--shard", "2/3")  # which shard has an eval depends on no grader
    assert (evals, "\nshard: 2/3, 1 of 4 evals\n" in out) == (["5"], True)
    assert planned("--eval", "3", "--eval", "4", "--shard", "2/2")[1] == ["4"]


def test_a_shard_without_evals_leaves_a_run_that_is_told_and_merged(tmp_path, run):
    catalog(tmp_path, an_eval(1, "well"), an_eval(2, "well"))
    nop = ("behavioral", "--harness", "nop", "--sandbox", "none", "--shard")
    assert run(*nop, "3/3")[0] == 0
    empty = run_of(tmp_path).name
    assert run("history")[::2] == (2, "error: no stored run has trials\n")
    assert [run(*nop, name)[0] for name in ("1/3", "2/3")] == [1, 1]
    status, out, _ = run("results", empty)
    assert (status, "\nshard: 3/3; " in out, "\n0 passed, 0 failed, 0 errors\n" in f"\n{out}") == (0, True, True)
    assert f"\n  {empty} " in run("results")[1]
    status, out, _ = run("verify", empty)
    assert (status, ", 0 trials in 1 files\n" in out) == (0, True)
    assert run("compare", "latest", empty)[::2] == (2, f"error: run {empty} has no trials\n")
    status, out, _ = run("merge", "evals/results/", "--format", "json")
    report = json.loads(out)
    assert (status, len(report["trials"]), report["metrics"]["run"]) == (1, 2, run_of(tmp_path).name)
    assert f"\nmerged: {', '.join(told(run_of(tmp_path) / 'run.json')['merged'])}\n" in run("results", "latest")[1]


def test_a_selection_without_any_eval_is_an_error_in_each_shard(tmp_path, run):
    catalog(tmp_path, an_eval(1, "well", expectations=["It is done"]))
    for name in ("1/2", "2/2"):
        status, _, err = run("behavioral", "--harness", "nop", "--grader", "none", "--shard", name)
        assert (status, err) == (2, "error: nothing to run: eval 1 of jot: it has no checks, and there is no grader\n")
    assert not (tmp_path / "evals/results").exists()


def test_several_agents_are_sharded_alike_and_merged_one_by_one(tmp_path, run):
    catalog(tmp_path, an_eval(1, "well"), an_eval(2, "well"), an_eval(3, "well"))
    for name in ("1/2", "2/2"):
        words = ("--harness", "nop,command", "--agent-command", "true", "--retries", "0", "--max-cost-usd", "5")
        assert run("behavioral", *words, "--sandbox", "none", "--shard", name)[0] in {1, 3}
    found = {(t["harness"], *t["settings"]["shard"]): p.parent for p in tmp_path.rglob("run.json") if (t := told(p))}
    for harness in ("nop", "command"):
        run("merge", found[harness, 1, 2].name, found[harness, 2, 2].name)
        assert {name[2] for name in outcomes(tmp_path, run_of(tmp_path).name)} == {"1", "2", "3"}
    status, _, err = run("merge", found["nop", 1, 2].name, found["command", 2, 2].name)
    assert (status, 'differ in \'harness\' ("nop" and "command")' in err) == (2, True)


def test_what_can_not_be_merged_is_told_all_at_once(shards, refused):
    one, two, three = shards
    assert refused(one) == "shards 2/3 and 3/3 are missing"
    assert refused(one, two) == "shard 3/3 is missing"
    copy = shutil.copytree(two, two.with_name("copy"))
    assert refused(*shards, copy) == f"shard 2/3 is there 2 times: {two.name}, copy"
    shutil.rmtree(copy)
    edit(two, settings={**told(two / "run.json")["settings"], "shard": [2, 4]})
    numbers = f"{one.name} is 1/3, {two.name} is 2/4, {three.name} is 3/3"
    assert refused("shards/") == f"the shards are of different numbers: {numbers}"
    edit(two, settings={**told(two / "run.json")["settings"], "shard": [9, 12]})
    assert refused(two).startswith("shards 1/12, 2/12, 3/12, 4/12, 5/12 and 6 more are missing")
    (three / "digests.json").unlink()
    told_of = refused(one, two, three, "./none", "zzz")
    for part in (
        f"run {three.name} is unfinished: see `skillcheck verify`",
        "no stored run in ",
        "no stored run 'zzz'",
        f"{one.name} is 1/3, {three.name} is 3/3, {two.name} is 9/12",
    ):
        assert part in told_of


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"model": "m-2"}, "'model' (\"\" and \"m-2\")"),
        ({"skillcheck": "0.0.9"}, "'skillcheck' (\"0.1.0\" and \"0.0.9\")"),
        ({"harness_version": "2"}, "'harness_version' (\"\" and \"2\")"),
        ({"commit": "1f"}, "'commit' (null and \"1f\")"),
        ({"grader": "api"}, "'grader' (\"command\" and \"api\")"),
        ({"skills": {"jot": "1f"}}, "'skills.jot' (\""),
        ({"fixtures": {"inbox": "1f"}}, "'fixtures.inbox' (\""),
        ({"environment": ["KEY"]}, "'environment' ([] and [\"KEY\"])"),
        ({"delivery": "native", "sandbox": "bwrap", "model": "m", "grader": "api"}, " and 1 more"),
        ({"shard_of": ["jot/1"]}, "are shards of different evals or tasks"),
    ],
    ids=[
        "model", "version", "agent's version", "commit", "grader", "skill", "fixture", "environment", "several",
        "evals",
    ],
)  # fmt: skip
def test_shards_that_did_different_things_are_refused_with_both_values(shards, refused, changes, message):
    edit(shards[1], **changes)
    found = refused("shards/")
    assert found.startswith(f"runs {shards[0].name} and {shards[1].name} ")
    assert message in found


def test_a_setting_that_changes_no_trial_may_differ_and_another_may_not(shards, refused, run):
    settings = told(shards[1] / "run.json")["settings"]
    edit(shards[1], settings={**settings, "votes": 3})
    assert refused("shards/").endswith("differ in 'settings.votes' (1 and 3)")
    edit(shards[1], settings={**settings, "jobs": 4, "keep": True, "fresh": True, "max_cost_usd": 5.0}, dirty=None)
    assert run("merge", "shards/")[0] == 3


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("jot/2/1/outcome.json", '"passed"', '"error"', "run {} is not as it was left: see `skillcheck verify`"),
        ("jot/2/1/stderr.txt", "", "more", "run {} is not as it was left: see `skillcheck verify`"),
        ("jot/2/1/outcome.json", "{", "[", "{}/jot/2/1/outcome.json can't be read: it is no JSON"),
        ("run.json", "{", "[", "{}/run.json can't be read: it is no JSON"),
        ("run.json", '"skills": {', '"skills": 7, "x": {', "{}/run.json can't be read: 'skills' is 7"),
        ("run.json", '"task_set":', '"x":', "{}/run.json can't be read: 'task_set' is missing"),
        ("run.json", '"trials": 1', '"trials": "1"', "{}/run.json can't be read: trials is '1', not of type int"),
        ("run.json", '"jot/2": {', '"jot/9": {', "{}/jot/2/1 is no trial that run.json tells of"),
        ("digests.json", '"run"', '"ran"', "{}/digests.json can't be read: 'run' is missing"),
    ],
    ids=[
        "outcome", "added text", "outcome no JSON", "run.json no JSON", "type", "missing", "setting", "stray",
        "digests",
    ],
)  # fmt: skip
def test_a_run_that_was_edited_or_can_not_be_read_is_refused(shards, refused, name, old, new, message):
    path = shards[1] / name
    text = path.read_text("utf-8")
    path.write_text(text.replace(old, new, 1) if old else new, "utf-8")
    assert message.format(shards[1].name) in refused("shards/")


def test_a_whole_run_and_a_merged_one_are_no_shards(made, merged, refused):
    root, _ = merged
    whole, both = run_of(made / "whole"), run_of(root)
    assert refused(whole, both) == (
        f"run {whole.name} is no shard: it was made without --shard; run {both.name} is merged already"
    )


def test_a_link_in_a_trial_is_followed_nowhere(shards, run, tmp_path):
    secret = write(tmp_path, {"secret": "sesame"}) / "secret"
    (shards[1] / "jot/2/1/stderr.txt").unlink()
    (shards[1] / "jot/2/1/stderr.txt").symlink_to(secret)
    assert chain.seal(shards[1]) == ()
    status, out, err = run("merge", "shards/")
    assert (status, out) == (3, "")
    assert err.endswith("/jot/2/1 can't be merged: it was changed meanwhile, or holds what is no file\n")
    assert list((tmp_path / "evals/results").iterdir()) == []


def test_checkouts_in_different_folders_are_merged_though_the_agent_lies_in_them(tmp_path, run, monkeypatch):
    script = "#!/bin/sh\ncat > /dev/null\necho well > answer.txt\n"
    homes = [tmp_path / "a/checkout", tmp_path / "b/checkout"]
    for home, name in zip(homes, ("1/2", "2/2"), strict=True):
        write(catalog(home, an_eval(1, "x"), an_eval(2, "x")), {"agent.sh": script})
        (home / "agent.sh").chmod(0o755)
        for words in (("init", "-q"), ("add", "--all"), ("commit", "-q", "-m", "x", "--date=2026-01-01T00:00:00Z")):
            monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-01-01T00:00:00Z")
            git(home, *words)
        monkeypatch.chdir(home)
        words = ("--harness", "command", "--agent-command", "./agent.sh", "--sandbox", "none", "--shard", name)
        assert run("behavioral", *words)[0] == 0
    (one, other) = map(run_of, homes)
    assert told(one / "run.json")["commit"] == told(other / "run.json")["commit"] is not None
    monkeypatch.chdir(tmp_path)
    assert run("merge", one, other)[0] == 0
    says = told(run_of(tmp_path) / "run.json")
    assert says["commands"] == [f"{home}/agent.sh" for home in homes]
    programs = told(other / "run.json")["programs"]
    edit(other, programs=dict.fromkeys(programs, "1f"))
    status, _, err = run("merge", one, other)
    assert (status, "differ in 'programs.agent.sh' (" in err) == (2, True)


def test_trials_that_a_budget_kept_from_being_run_are_told_and_are_errors(tmp_path, run):
    catalog(tmp_path, *(an_eval(number, "well") for number in range(1, 5)))
    given = ("behavioral", "--harness", "command", "--agent-command", command(), *WORDS)
    assert run(*given, "--shard", "1/2", "--max-cost-usd", "1")[0] == 3
    assert run(*given, "--shard", "2/2")[0] == 0
    lacking = min((tmp_path / "evals/results").iterdir()).name
    status, _, err = run("merge", "evals/results/")
    assert (status, err) == (3, f"warning: 1 of the 2 trials of shard 1/2, run {lacking}, were not run\n")
    shutil.rmtree(run_of(tmp_path))
    assert run(*given, "--shard", "1/2")[0] == 0
    status, _, err = run("merge", "evals/results/")
    assert status == 0
    assert err.startswith(f"warning: run {lacking} is left out: it ended early, and ")


def test_a_shard_that_was_killed_goes_on_where_it_was_and_is_merged(tmp_path, start, run, monkeypatch):
    root, calls, tmp = folders(tmp_path)
    catalog(root, an_eval(1, "well 1"), an_eval(2, "well 2"), an_eval(3, "slowly 0.3 3"))
    begun = start(root, calls, "--shard", "1/2", TMPDIR=str(tmp))
    assert comes(lambda: list(calls.glob("3-*")))
    begun.send_signal(signal.SIGKILL)
    begun.wait()
    monkeypatch.chdir(root)
    killed = run_of(root)
    given = ("behavioral", "--harness", "command", "--agent-command", command(calls), "--sandbox", "none")
    assert [run(*given, "--shard", name)[0] for name in ("1/2", "2/2")] == [0, 0]
    assert calls_of(calls) == {"1": 1, "2": 1, "3": 2}
    _, *parts = sorted(path.name for path in (root / "evals/results").iterdir())
    assert f"run {killed.name} is unfinished: see `skillcheck verify`" in run("merge", killed.name, parts[1])[2]
    status, out, err = run("merge", killed.name, *parts, "--format", "json")
    assert status == 0
    left_out = f"run {killed.name} is left out: it ended early, and {parts[0]} did the whole shard"
    assert err == f"warning: {left_out}\n"
    assert [(trial["eval"], trial["reused"]) for trial in json.loads(out)["trials"]] == [
        ("1", killed.name), ("2", ""), ("3", ""),
    ]  # fmt: skip


def test_shards_and_the_run_that_they_make_are_counted_once(made, run, tmp_path):
    root = catalog(tmp_path, *EVALS)
    for name in SHARDS:
        source = run_of(made / home_of(name))
        shutil.copytree(source, root / "evals/results" / source.name)

    def counted():
        return [(row["run"], row["trials"]) for row in json.loads(run("history", "--format", "json")[1])["history"]]

    assert run("merge", "evals/results/")[0] == 3
    both = run_of(root).name
    parts = told(run_of(root) / "run.json")["merged"]
    assert counted() == [(both, 5)]
    fit = [json.loads(run("fitness", *names, "--format", "json")[1])["fitness"] for names in ([both], [both, *parts])]
    assert fit[0] == fit[1]
    assert run("merge", *parts)[0] == 3
    newest = run_of(root).name
    given = ("behavioral", "--harness", "command", "--agent-command", command(), *WORDS, "--format", "json")
    report = json.loads(run(*given, "--eval", "1", "--eval", "5")[1])
    assert [trial["reused"] for trial in report["trials"]] == [newest, newest]
    assert counted() == [(both, 5)]
    (root / "evals/results" / newest / "digests.json").unlink()
    (root / "evals/results" / both / "digests.json").unlink()
    assert sorted(counted()) == [(parts[0], 2), (parts[1], 2), (parts[2], 1)]
