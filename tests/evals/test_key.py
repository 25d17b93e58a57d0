"""A key changes with all that could change a trial's result, and with nothing else."""

import json
import os

import pytest
from catalogs import write
from trials import CASES, CHECK, SKILL, an_eval, case_file, catalog

from skillcheck import api
from skillcheck.evals.plan import key
from skillcheck.evals.plan.settings import Settings

SCRIPT = {"type": "script", "path": "reward/run.sh"}
EVAL = an_eval(1, "well", checks=[CHECK, SCRIPT], expectations=["It is 'done'"])
PATCH = "--- /dev/null\n+++ b/inbox/new.txt\n@@ -0,0 +1 @@\n+A line.\n"
FILES = {
    "agent.sh": "echo\n",
    "grader.sh": "echo\n",
    "evals/fixtures/reward/run.sh": "#!/bin/sh\necho 1\n",
    "evals/fixtures/inbox/.eval/working-tree.patch": PATCH,
}
SETTINGS = Settings("command", sandbox="none", options={"agent-command": "sh agent.sh"}, grader_command="sh grader.sh")
ENVIRON = {"PATH": os.environ["PATH"]}


def keys(root, settings=SETTINGS, environ=ENVIRON):
    """The keys of all trials of the catalog in `root`, where the commands are found."""
    plan = api.plan(api.load((), api.configure(base=root), root), settings, environ)
    return [spec.key for spec in plan.specs]


@pytest.fixture
def root(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(catalog(tmp_path, EVAL), FILES)
    (tmp_path / "evals/fixtures" / SCRIPT["path"]).chmod(0o755)
    return tmp_path


def edited(**change):
    return {CASES: case_file({**EVAL, **change})}


CHANGES = {
    "the skill": {SKILL: "---\nname: jot\ndescription: Other. Use when asked.\n---\n\nText.\n"},
    "a reference": {"skills/jot/reference.md": "Other.\n"},
    "a new reference": {"skills/jot/more.md": "More.\n"},
    "a fixture": {"evals/fixtures/inbox/note.txt": "Other.\n"},
    "a patch": {"evals/fixtures/inbox/.eval/working-tree.patch": PATCH.replace("A line", "Another")},
    "a check's program": {"evals/fixtures/reward/run.sh": "#!/bin/sh\necho 0\n"},
    "the prompt": edited(prompt="other"),
    "the expectations": edited(expectations=["Other"]),
    "the expected output": edited(expected_output="Other."),
    "the checks": edited(checks=[SCRIPT]),
    "the files": edited(files=["inbox/note.txt"]),
    "the kind": edited(kind="dialogue"),
    "the agent's program": {"agent.sh": "echo other\n"},
    "the grader's program": {"grader.sh": "echo other\n"},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_could_change_a_result_changes_the_key(change, root):
    before = keys(root)
    write(root, change)
    after = keys(root)
    assert len(before) == len(after) == 1
    assert before != after


@pytest.mark.parametrize("name", ["skills/jot/reference.md", "evals/fixtures/inbox/note.txt", "agent.sh"])
def test_so_does_the_right_to_run_a_file(name, root):
    before = keys(root)
    (root / name).chmod(0o755)
    assert keys(root) != before


@pytest.mark.parametrize(
    "change",
    [
        {"model": "other"},
        {"delivery": "native"},
        {"timeout_s": 9},
        {"idle_s": 9},
        {"timeouts_fail": True},
        {"grader_model": "other"},
        {"grader_timeout_s": 9},
        {"votes": 3},
        {"judge": "api"},
        {"judge": "none"},
        {"env": ("HUE",)},
        {"harness": "nop"},
        {"options": {"agent-command": "sh agent.sh --fast"}},
    ],
    ids=str,
)
def test_so_does_a_setting_that_could(change, root):
    assert keys(root, SETTINGS._replace(**change)) != keys(root)


@pytest.mark.parametrize(
    "change", [{"jobs": 8}, {"keep": True}, {"fresh": True}, {"max_cost_usd": 1.0}, {"retries": 5}], ids=str
)
def test_a_setting_that_cannot_does_not(change, root):
    assert keys(root, SETTINGS._replace(**change)) == keys(root)


def test_the_value_of_a_variable_that_is_handed_on_counts_and_no_other(root):
    settings = SETTINGS._replace(env=("HUE",))
    red, blue = ({**ENVIRON, "HUE": hue} for hue in ("red", "blue"))
    assert keys(root, settings, red) != keys(root, settings, blue)
    assert keys(root, SETTINGS, red) == keys(root, SETTINGS, blue)


def test_where_the_agent_is_sent_counts(root):
    settings = SETTINGS._replace(harness="anthropic", judge="none")
    here, there = ({**ENVIRON, "ANTHROPIC_BASE_URL": url} for url in ("http://a.invalid", "http://b.invalid"))
    assert keys(root, settings, here) != keys(root, settings, there)


def test_another_eval_in_the_file_another_skill_and_bytecode_change_nothing(root):
    before = keys(root)
    write(root, {CASES: case_file(EVAL, an_eval(2, "well")), "skills/jot/__pycache__/x.pyc": "x"})
    write(root, {"skills/bake/SKILL.md": "---\nname: bake\ndescription: Bakes. Use when hungry.\n---\n\nBake.\n"})
    assert keys(root)[:1] == before


def test_blanks_and_the_order_of_keys_change_nothing(root):
    before = keys(root)
    turned = dict(reversed(EVAL.items()))
    write(root, {CASES: json.dumps({"evals": [turned], "skill_name": "jot"})})
    assert keys(root) == before


def test_an_agent_on_path_counts_by_its_bytes(root):
    program = write(root, {"bin/stub": "#!/bin/sh\n"}) / "bin/stub"
    program.chmod(0o755)
    settings = SETTINGS._replace(options={"agent-command": "stub"})
    environ = {"PATH": f"{program.parent}:{ENVIRON['PATH']}"}
    before = keys(root, settings, environ)
    program.write_text("#!/bin/sh\nexit\n", "utf-8")
    assert keys(root, settings, environ) != before


def test_a_replayed_trace_counts_by_its_bytes(root):
    settings = SETTINGS._replace(harness="replay", options={"trace": str(root / "agent.sh")})
    before = keys(root, settings)
    write(root, {"agent.sh": "other"})
    assert keys(root, settings) != before


def test_trials_of_an_eval_have_keys_of_their_own_which_more_trials_do_not_change(root):
    three = keys(root, SETTINGS._replace(trials=3))
    assert len(set(three)) == 3
    assert keys(root, SETTINGS._replace(trials=2)) == three[:2]


def test_a_skill_that_is_the_whole_catalog_is_not_changed_by_results(tmp_path):
    write(
        tmp_path,
        {
            "SKILL.md": "---\nname: jot\ndescription: Jots. Use when asked.\n---\n\nJot.\n",
            ".skillcheck.toml": 'paths = ["."]\n',
            CASES: case_file(an_eval(1, "well")),
            "evals/fixtures/inbox/note.txt": "x",
        },
    )
    settings = Settings("nop", sandbox="none")
    before = keys(tmp_path, settings)
    write(tmp_path, {"evals/results/1/run.json": "{}"})
    assert keys(tmp_path, settings) == before


def test_a_new_grade_changes_the_half_that_is_of_the_grade(root):
    plan = api.plan(api.load((), api.configure(base=root), root), SETTINGS, ENVIRON)
    (spec,) = plan.specs
    assert key.regraded(spec.key, plan, spec) == spec.key
    (before,) = keys(root)
    write(root, edited(expectations=["Other"]))
    (after,) = keys(root)
    assert after[:32] == before[:32]
    assert after != before
