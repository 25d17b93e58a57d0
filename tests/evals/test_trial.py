"""Single trials: what the agent gets and can reach, what is kept of it, and what is left."""

import json
import shlex
import tempfile
from pathlib import Path

import pytest
from catalogs import write
from trials import CASES, CHECK, SKILL, an_eval, carried_out, catalog, running_in

from skillcheck import api, stored
from skillcheck.errors import SkillcheckError, UsageError
from skillcheck.evals.workspace.sandbox import choose

HUE = "stub-0123456789-azure"
VISIBLE = {"type": "command", "run": "env", "stdout-regex": "STUB_|ANTHROPIC_"}


@pytest.fixture
def bwrap():
    """Skip where bubblewrap doesn't work."""
    try:
        choose("bwrap")
    except SkillcheckError as error:
        pytest.skip(str(error))


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """A folder for temporary files of our own."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def program(root, name, text):
    (write(root, {name: text}) / name).chmod(0o755)


def one(root, **more):
    """The record of a catalog's only trial."""
    (record,) = carried_out(root, **more)
    return record


def test_without_retries_the_first_refusal_is_the_end(tmp_path):
    record = one(catalog(tmp_path / "catalog", an_eval(1, f"once {tmp_path}/refused")))
    assert (record.status, record.how, record.attempts, record.cost_usd) == ("error", "infra-server", 1, 2.0)


def test_a_timeout_is_an_error_unless_it_counts_as_failed(tmp_path):
    root = catalog(tmp_path, an_eval(1, "stuck"))
    assert (one(root, timeout_s=0.3).status, one(root, timeout_s=0.3, timeouts_fail=True).status) == ("error", "failed")


def test_a_skill_that_is_removed_during_the_run_ends_the_later_trials_alone(tmp_path):
    root = catalog(tmp_path, an_eval(1, f"remove {tmp_path}/skills/jot"), an_eval(2, "well"))
    first, second = carried_out(root)
    assert first.status == "passed"
    assert (second.status, second.how) == ("error", "workspace")
    assert second.message == "the skill's folder 'jot' is gone"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"inbox/.eval/working-tree.patch": "--- a/none\n+++ b/none\n@@ -1 +1 @@\n-a\n+b\n"}, "inbox/.eval/working-"),
        ({"inbox/.eval/working-tree.patch": "garbage"}, "inbox/.eval/working-tree.patch does not apply to the fixture"),
    ],
    ids=["of another file", "garbage"],
)
def test_a_patch_that_does_not_apply_ends_its_trial_alone(files, message, tmp_path):
    root = catalog(tmp_path, an_eval(1, "well"), an_eval(2, "well", files=["sound"]))
    write(root / "evals/fixtures", {"sound/a.txt": "a", **files})
    (only,) = carried_out(root, harness="nop")
    assert only.eval == "2"
    write(root, {".skillcheck.toml": 'ignore = ["insufficient-cases", "missing-cases", "unusable-fixture"]\n'})
    broken, sound = carried_out(root, harness="nop", fresh=True)
    assert (broken.status, broken.how) == ("error", "workspace")
    assert broken.message.startswith(message)
    assert sound.status == "failed"


def test_nothing_is_left_but_what_is_to_be_kept(tmp_path, temporary):
    root = catalog(tmp_path / "catalog", an_eval(1, "fork"), an_eval(2, "kill"), an_eval(3, "delete"))
    forked, *_ = carried_out(root)
    assert forked.notes == ("the agent left 2 processes running; they were killed",)
    assert list(temporary.iterdir()) == []
    assert running_in(temporary) == set()
    (again,) = carried_out(root, keep=True, evals=("1",), fresh=True)
    (kept,) = temporary.iterdir()
    assert again.notes[0] == f"the workspace is kept in {kept}"
    assert (kept / "work/answer.txt").read_text("utf-8") == "well"
    assert running_in(temporary) == set()


def test_a_failing_disk_ends_each_trial_with_the_reason(tmp_path, monkeypatch):
    """A folder that isn't there stands for a full disk: both fail where the workspace is made."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    record = one(catalog(tmp_path, an_eval(1, "well")))
    assert (record.status, record.how) == ("error", "workspace")
    assert record.message.startswith("no temporary folder can be made: No such file or directory: ")


def test_a_result_that_cannot_be_kept_is_an_error_of_its_trial(tmp_path):
    catalog(tmp_path, an_eval(1, f"block {tmp_path}/evals/results"), an_eval(2, "well"))
    first, second = carried_out(tmp_path)
    assert (first.status, first.how) == ("error", "workspace")
    assert first.message.startswith("results can't be written to ")
    assert second.how == "workspace"


def test_secrets_stand_neither_in_the_store_nor_in_records(tmp_path):
    root = catalog(tmp_path, an_eval(1, "leak STUB_HUE"), an_eval(2, "leak STUB_TOKEN fatal"))
    environ = {"STUB_HUE": HUE, "STUB_TOKEN": HUE[::-1]}
    records = carried_out(root, environ, env=("STUB_HUE", "STUB_TOKEN"))
    assert records[1].message == "refused: [redacted STUB_TOKEN]"
    stored = b"".join(path.read_bytes() for path in (root / "evals/results").rglob("*") if path.is_file())
    assert b"My key is [redacted STUB_HUE]" in stored
    for secret in environ.values():
        assert secret.encode() not in stored
        assert secret not in repr(records)


def test_checks_do_not_get_the_agents_credentials(tmp_path):
    root = catalog(tmp_path, an_eval(1, "leak STUB_HUE", checks=[VISIBLE]))
    record = one(root, environ={"STUB_HUE": HUE, "ANTHROPIC_API_KEY": HUE}, env=("STUB_HUE",))
    assert record.status == "failed"
    assert record.grading.checks[0].evidence.startswith("'env' printed nothing that 'STUB_|ANTHROPIC_' matches")


def test_the_agent_gets_no_variable_that_it_was_not_given(tmp_path):
    root = catalog(tmp_path, an_eval(1, "leak STUB_HUE"))
    record = one(root, environ={"STUB_HUE": HUE})
    assert (record.how, record.message) == ("harness-config", "the agent ended with status 1: KeyError: 'STUB_HUE'")


def told(root):
    """What the agent wrote into answer.txt, by the stored patch."""
    (path,) = root.glob("evals/results/*/jot/1/1/diff.patch")
    line = next(line for line in path.read_text("utf-8").splitlines() if line.startswith("+["))
    return json.loads(line[1:])


@pytest.mark.usefixtures("bwrap")
def test_in_the_sandbox_evals_cannot_be_read_and_nothing_outside_is_written(tmp_path):
    root = tmp_path / "catalog"
    seen = [root / CASES, root / "evals/fixtures/inbox/note.txt", root / SKILL, "/etc/passwd"]
    catalog(root, an_eval(1, f"peek {shlex.join(map(str, seen))}", checks=[CHECK]))
    carried_out(root, sandbox="bwrap")
    assert told(root) == [["/etc/passwd"], []]
    places = [tmp_path, root, Path.home(), "/etc"]
    catalog(root, an_eval(1, f"outside {shlex.join(map(str, places))}"))
    one(root, sandbox="bwrap")
    assert not any((Path(place) / "planted").exists() for place in places)


def test_no_case_and_no_solution_is_in_the_workspace(tmp_path):
    root = catalog(tmp_path, an_eval(1, "peek", solution="inbox/.eval/answer.json"))
    program(root, "evals/fixtures/inbox/.eval/answer.json", "{}")
    write(root, {"skills/jot/evals/answer.json": "{}"})
    carried_out(root)
    assert told(root) == [[], []]


def test_the_oracle_runs_the_solution_and_nop_nothing(tmp_path):
    root = catalog(tmp_path, an_eval(1, "well", solution="inbox/.eval/solution.sh"))
    program(root, "evals/fixtures/inbox/.eval/solution.sh", "#!/bin/sh\necho well > answer.txt\n")
    assert one(root, harness="oracle").status == "passed"
    assert one(root, harness="nop").status == "failed"


def test_a_stored_trace_is_replayed(tmp_path):
    root = catalog(tmp_path, an_eval(1, "say hello", checks=[{"type": "tool-used", "tool": "Bash", "max": 0}]))
    carried_out(root)
    (trace,) = root.glob("evals/results/*/jot/1/1/trace.jsonl")
    record = one(root, harness="replay", options={"trace": str(trace)})
    assert (record.status, record.how, record.usage.output) == ("passed", "completed", 2)


def test_a_run_without_trials_leaves_nothing(tmp_path):
    root = catalog(tmp_path, an_eval(1, "well"))
    with pytest.raises(UsageError, match="nothing to run: eval 1 of jot: it has no solution to run"):
        carried_out(root, harness="oracle")
    assert not (root / "evals/results").exists()


def test_what_all_trials_would_lack_is_told_before_any_begins(tmp_path):
    root = catalog(tmp_path, an_eval(1, "well"))
    with pytest.raises(
        SkillcheckError, match="claude-code needs the program 'claude', which is not on PATH; claude-code"
    ):
        carried_out(root, {"PATH": str(tmp_path), "ANTHROPIC_API_KEY": ""}, harness="claude-code")
    assert not (root / "evals/results").exists()


def test_a_stored_result_is_used_again_unless_a_fresh_one_is_wanted(tmp_path):
    calls = tmp_path / "calls"
    calls.mkdir()
    root = catalog(tmp_path / "catalog", an_eval(1, "well"), an_eval(2, "rate"))
    first, _ = carried_out(root, agent_words=[calls])
    (run,) = (root / "evals/results").iterdir()
    again, refused = carried_out(root, agent_words=[calls])
    assert again == first._replace(reused=run.name)
    assert refused.reused == ""
    assert len(list(calls.iterdir())) == 3
    carried_out(root, agent_words=[calls], fresh=True, evals=("1",))
    assert len(list(calls.iterdir())) == 4


def test_a_run_that_reused_is_whole_by_itself(tmp_path):
    root = catalog(tmp_path, an_eval(1, "well"), an_eval(2, "well"))
    carried_out(root, evals=("1",))
    carried_out(root)
    config = api.configure(base=root)
    assert stored.report(config, "latest").metrics["passed"] == 2
