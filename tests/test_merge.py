"""`behavioral --shard` and `skillcheck merge`: what several machines did is what one would have done."""

import json
import shutil
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from catalogs import git, skillcheck, write
from jsonschema import Draft202012Validator
from stubs import comes
from trials import GRADER, an_eval, behavioral, calls_of, catalog, folders, outcomes

from skillcheck import schemas
from skillcheck.evals import chain

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
    with ThreadPoolExecutor(2) as pool:
        ran = pool.map(lambda name: behavioral(home / name, *WORDS, *work[name])[0], work)
        assert dict(zip(work, ran, strict=True)) == {"whole": 3, "1-3": 1, "2-3": 1, "3-3": 3}
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
    assert without_times(json.loads(run("results", "latest", "--format", "json")[1])) == without_times(
        json.loads(found)
    )


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
    for name, status in zip(SHARDS, (1, 1, 0), strict=True):
        assert run("behavioral", "--harness", "nop", "--sandbox", "none", "--shard", name)[0] == status
    empty = run_of(tmp_path).name
    status, out, _ = run("results", empty)
    assert (status, "shard: 3/3" in out, "0 passed, 0 failed, 0 errors" in out) == (0, True, True)
    assert run("verify", empty)[0] == 0
    assert run("compare", empty, "latest")[::2] == (
        2,
        f"error: two different runs or more are compared, not '{empty}' and 'latest'\n",
    )
    status, out, _ = run("merge", "evals/results/", "--format", "json")
    assert (status, len(json.loads(out)["trials"])) == (1, 2)
    assert json.loads(out)["metrics"]["run"] == run_of(tmp_path).name
