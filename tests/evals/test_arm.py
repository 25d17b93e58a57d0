"""Each arm stages its own things; all else is the same to the last byte, in every arm and for every agent."""

import json
import os

import pytest
from catalogs import skill, write
from trials import CHECK, an_eval, carried_out, catalog, command

from skillcheck import api
from skillcheck.errors import UsageError
from skillcheck.evals import harness
from skillcheck.evals.plan.plan import PLACEHOLDER, task
from skillcheck.evals.plan.settings import Settings
from skillcheck.evals.workspace import arm

OTHERS = ("bake", "knit", "mend", "weave")
JOT = ["skills/jot/SKILL.md", "skills/jot/reference.md"]
WRAPPED = (
    "Work in the current directory. Leave what the task asks for at the paths that it names, relative to that "
    "directory. Never write keys, tokens or environment variables into files or answers.\n\nshow"
)
USED = {"type": "skill-used"}


def by_arm(root, *arms, **more):
    """The records of an experiment in this process, by arm."""
    return {record.arm: record for record in carried_out(root, delivery="native", arms=("with", *arms), **more)}


def shown(root):
    """What the stub that shows all was handed, by arm."""
    found = {}
    for path in root.glob("evals/results/*/jot/1/*/diff.patch"):
        line = next(line for line in path.read_text("utf-8").splitlines() if line.startswith("+{"))
        found[path.parent.name.rpartition("-")[0] or "with"] = json.loads(line[1:])
    return found


@pytest.fixture(scope="module")
def handed(tmp_path_factory):
    """What each arm was handed, the one that writes apart."""
    root = catalog(tmp_path_factory.mktemp("arms"), an_eval(1, "show"))
    write(root, {f"skills/{name}/SKILL.md": skill(name) for name in OTHERS})
    by_arm(root, "without", "docs", "distractor", agent_words=["{skill_dir}", "{model}"])
    return shown(root)


def test_each_arm_stages_its_own_things(handed):
    staged = {name: [path for path in each["files"] if path != "inbox/note.txt"] for name, each in handed.items()}
    assert staged == {
        "with": [f".agents/{path}" for path in JOT],
        "without": [],
        "docs": [path.replace("skills/", "docs/") for path in JOT],
        "distractor": [".agents/skills/knit/SKILL.md", ".agents/skills/mend/SKILL.md", ".agents/skills/weave/SKILL.md"],
    }


def test_distractors_are_those_that_follow_and_then_the_first(tmp_path):
    root = write(tmp_path, {f"skills/{name}/SKILL.md": skill(name) for name in ("a", "b", "y", "z")})
    found = api.choose((), api.configure(base=root), root).skills
    staged = {
        s.name: arm.named("distractor").stage((s.path.parent,), [o.path.parent for o in found if o != s], ".x")
        for s in found
    }
    assert {name: [each.at for each in each_staged] for name, each_staged in staged.items()} == {
        "a": [".x/b", ".x/y", ".x/z"],
        "b": [".x/y", ".x/z", ".x/a"],
        "y": [".x/z", ".x/a", ".x/b"],
        "z": [".x/a", ".x/b", ".x/y"],
    }


def test_the_prompt_is_the_same_bytes_in_every_arm(handed):
    assert {each["prompt"] for each in handed.values()} == {WRAPPED}


def test_the_environment_and_the_command_line_are_the_same_but_for_the_skills_place(handed):
    assert len({json.dumps(each["environ"], sort_keys=True) for each in handed.values()}) == 1
    words = {name: each["argv"][1:] for name, each in handed.items()}
    assert words["with"] == ["ROOT/work/.agents/skills/jot", ""]
    assert words["without"] == words["docs"] == ["", ""]


@pytest.mark.parametrize("name", ["anthropic", "claude-code", "codex", "command", "gemini", "opencode", "pi", "qwen"])
def test_every_agent_is_told_the_same_and_has_one_command_line_but_for_the_skill(name, tmp_path):
    catalog(tmp_path, an_eval(1, "show"))
    settings = Settings(name, arms=("with", "without"), delivery="native", sandbox="none", judge="none",
                        options={"agent-command": "true"})  # fmt: skip
    plan = api.plan(api.choose((), api.configure(base=tmp_path), tmp_path), settings, {"PATH": os.environ["PATH"]})
    case = plan.specs[0].case
    place = PLACEHOLDER / "work" / plan.harness.skills_dir / "jot"
    having, without = (task(plan, case, "jot", PLACEHOLDER, dirs) for dirs in ((place,), ()))
    assert having.prompt == without.prompt == WRAPPED
    first, second = (harness.named(name).command(each) for each in (having, without))
    skill_words = ("--skill", str(place)) if name == "pi" else ()
    assert tuple(word for word in first.argv if word not in skill_words) == second.argv
    assert first[1:] == second[1:]


def test_an_agent_is_given_documents_as_no_skill(tmp_path):
    """pi is told its skills on the command line; the stub stands for it."""
    root = catalog(tmp_path, an_eval(1, "show"))
    by_arm(root, "docs", "without", harness="pi", options={"override": command("{skill_dir}")})
    assert shown(root)["docs"]["argv"][1:] == shown(root)["without"]["argv"][1:] == [""]


def test_an_agent_may_write_its_skill_first_and_both_are_paid(tmp_path):
    records = by_arm(catalog(tmp_path, an_eval(1, "learn")), "self", "without")
    own, treated = records["self"], records["with"]
    assert (own.status, records["without"].status) == ("passed", "failed")
    assert (own.cost_usd, treated.cost_usd) == (4.0, 2.0)
    assert (own.usage.output, treated.usage.output) == (4, 2)
    assert own.seconds > 0
    assert own.loaded is False


def test_an_agent_that_writes_no_skill_is_an_error_and_is_paid(tmp_path):
    root = catalog(tmp_path, an_eval(1, "well", files=["inbox", "SKILL.md"]))
    write(root, {"evals/fixtures/SKILL.md": "The task's own."})
    own = by_arm(root, "self")["self"]
    assert (own.status, own.how, own.message) == ("error", "harness-config", "the agent wrote no SKILL.md")
    assert (own.cost_usd, own.usage.output) == (2.0, 2)


def test_an_agent_that_fails_while_it_writes_ends_as_it_did(tmp_path):
    own = by_arm(catalog(tmp_path, an_eval(1, "rate")), "self")["self"]
    assert (own.how, own.message) == ("infra-rate", "the agent ended with status 1: 429 too many requests")


def test_the_skill_that_was_changed_is_named(tmp_path):
    root = catalog(tmp_path, an_eval(1, "edit"))
    write(root, {f"skills/{name}/SKILL.md": skill(name) for name in OTHERS})
    found = by_arm(root, "distractor")["distractor"]
    assert found.how == "skill-edited"
    assert found.message.startswith("the agent changed .agents/skills/")


def test_a_control_is_not_asked_how_it_worked(tmp_path):
    root = catalog(tmp_path, an_eval(1, "well", checks=[CHECK, USED]), an_eval(2, "helped", checks=[CHECK, USED]))
    records = carried_out(root, delivery="native", arms=("with", "without"))
    found = {(record.eval, record.arm): (record.status, record.loaded) for record in records}
    assert found == {
        ("1", "with"): ("failed", False),
        ("1", "without"): ("passed", False),
        ("2", "with"): ("passed", True),
        ("2", "without"): ("failed", False),
    }
    assert [each.process for each in records[0].grading.checks] == [False, True]


def test_plain_text_does_not_tell_whether_the_skill_was_used(tmp_path):
    root = catalog(tmp_path, an_eval(1, "plainly"))
    assert {record.loaded for record in by_arm(root, "without").values()} == {None}


def test_an_unknown_arm_is_a_usage_error():
    with pytest.raises(UsageError, match="unknown arm 'witout'; did you mean 'without'"):
        arm.named("witout")


def test_a_trial_of_a_plain_run_is_no_arms(tmp_path):
    """Its prompt is another, also where that is handed over in a file."""
    root = catalog(tmp_path, an_eval(1, "show"))
    words = {"options": {"agent-command": command("{prompt_file}")}, "delivery": "native"}
    plain = carried_out(root, **words)
    compared = carried_out(root, **words, arms=("with", "without"))
    assert [record.reused for record in (*plain, *compared)] == ["", "", ""]
