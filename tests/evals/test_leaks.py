"""Skills and instructions that nobody handed over are found in each place where hosts look, in every arm."""

import shlex
from pathlib import Path

import pytest
from catalogs import skill, write
from stubs import agent
from trials import an_eval, carried_out, catalog

from skillcheck.errors import SkillcheckError
from skillcheck.evals import harness
from skillcheck.evals.harness import Harness, Launch
from skillcheck.evals.workspace import leaks
from skillcheck.evals.workspace.sandbox import Sandbox, choose

HOST_PLACES = [f"{host}/{name}" for host in leaks.HOSTS for name in ("skills", "skill")]
MACHINE_PLACES = [*leaks.BARE, *(f"{host}/{name}" for host in leaks.SYSTEM for name in ("skills", "skill"))]
PLANTED = {f"{place}/leaked/SKILL.md": skill("leaked") for place in HOST_PLACES}
ORDERS = dict.fromkeys(leaks.CONTEXT, "Do as `jot` says.\n")
ARMS = ("with", "without", "docs", "self", "distractor")


def find(root, **more):
    """What leaks into a trial whose folder is `root/trial`, where everything above `root` is hidden."""
    return leaks.find(root / "trial/work", root / "trial/home", (root / "trial", root), skill="jot", **more)


@pytest.fixture
def root(tmp_path):
    return write(tmp_path, {"trial/work/note.txt": "", "trial/home/tmp/x": ""})


def test_nothing_is_found_where_nothing_is(root):
    assert find(root) == []


@pytest.mark.parametrize("place", HOST_PLACES)
def test_a_skill_is_found_in_each_hosts_folder_wherever_that_is(place, root):
    folders = {"trial/work": "the workspace", "trial/home": "the agent's home", "": str(root)}
    for folder, where in folders.items():
        path = root / folder / place / "leaked"
        write(path, {"SKILL.md": skill("leaked")})
        assert find(root) == [f"{place}/leaked in {where}: a skill that was not staged"]
        (path / "SKILL.md").unlink()


@pytest.mark.parametrize("place", MACHINE_PLACES)
def test_a_skill_for_all_users_is_found_at_the_root_alone(place, root):
    write(root / place / "leaked", {"SKILL.md": skill("leaked")})
    assert find(root) == []
    assert find(root, machine=root) == [f"{place}/leaked in {root}: a skill that was not staged"]


@pytest.mark.parametrize("name", leaks.CONTEXT)
def test_instructions_are_found_in_the_home_and_above(name, root):
    for folder, where in {"trial/home": "the agent's home", "trial": str(root / "trial"), "": str(root)}.items():
        path = root / folder / name
        write(root / folder, {name: "Be kind.\n"})
        assert find(root) == [f"{name} in {where}: instructions that nobody handed over"]
        path.unlink()


def test_deeper_in_the_workspace_skills_are_the_tasks_unless_they_name_the_tested_one(root):
    write(root / "trial/work/app/.claude/skills/other", {"SKILL.md": skill("other")})
    assert find(root) == []
    write(root / "trial/work/app/.claude/skills/jot", {"SKILL.md": skill("jot")})
    write(root / "trial/work/app/.git/.claude/skills/jot", {"SKILL.md": skill("jot")})
    assert find(root) == ["app/.claude/skills/jot in the workspace: a skill that names 'jot'"]


@pytest.mark.parametrize("name", leaks.CONTEXT)
def test_instructions_of_the_fixture_leak_where_they_name_the_skill(name, root):
    write(root / "trial/work", {name: "Jotting and jot-down are other words than ajot.\n"})
    assert find(root) == []
    write(root / "trial/work", {name: "Follow the skill jot.\n", f"app/{name}": "jot!\n"})
    assert find(root) == [f"{path} in the workspace: instructions that name 'jot'" for path in (name, f"app/{name}")]


def test_what_was_staged_is_no_leak_and_what_lies_beside_it_is(root):
    write(root / "trial/work/.agents/skills", {"jot/SKILL.md": skill("jot"), "other/SKILL.md": skill("other")})
    staged = (root / "trial/work/.agents/skills/jot",)
    assert find(root, staged=staged) == [".agents/skills/other in the workspace: a skill that was not staged"]


def test_links_are_followed(root):
    write(root / "elsewhere/leaked", {"SKILL.md": skill("leaked")})
    (root / "trial/work/.claude").mkdir()
    (root / "trial/work/.claude/skills").symlink_to(root / "elsewhere")
    assert find(root) == [".claude/skills/leaked in the workspace: a skill that was not staged"]


def test_what_the_sandbox_hides(tmp_path):
    hidden = tmp_path / "catalog"
    needed = hidden / "bin/agent"
    write(hidden, {"bin/agent": "", "lib/x": ""})
    inside = Sandbox("bwrap", (hidden,))
    assert [inside.hides(hidden / name, (needed,)) for name in ("", "lib", "bin", "bin/agent")] == [
        True, True, True, False,
    ]  # fmt: skip
    assert not inside.hides(Path("/"), ())
    assert not Sandbox("none").hides(hidden, ())


@pytest.fixture(params=["none", "bwrap"])
def sandbox(request):
    try:
        return choose(request.param).kind
    except SkillcheckError as error:
        pytest.skip(str(error))


def messages(root, sandbox, **more):
    """The arms' ends, by name."""
    records = carried_out(root, sandbox=sandbox, delivery="native", arms=ARMS, jobs=5, **more)
    return {record.arm: (record.how, record.message) for record in records}


def test_a_clean_run_has_none(sandbox, tmp_path):
    root = catalog(tmp_path / "catalog", an_eval(1, "learn"))
    write(root, {"skills/other/SKILL.md": skill("other")})
    assert messages(root, sandbox) == dict.fromkeys(ARMS, ("completed", ""))


def test_a_fixtures_skills_and_instructions_are_named_in_every_arm(sandbox, tmp_path):
    planted = {**PLANTED, **ORDERS}
    root = catalog(tmp_path / "catalog", an_eval(1, "learn", files=sorted(planted)))
    write(root / "evals/fixtures", planted)
    found = messages(root, sandbox)
    assert {how for how, _ in found.values()} == {"harness-config"}
    assert set(found) == set(ARMS)
    for _, message in found.values():
        assert message.startswith("the arm is not isolated: ")
        for path in PLANTED:
            assert f"{path.removesuffix('/SKILL.md')} in the workspace: a skill that was not staged" in message
        for name in ORDERS:
            assert f"{name} in the workspace: instructions that name 'jot'" in message


def test_what_an_agents_set_up_puts_into_its_home_is_found(sandbox, tmp_path, monkeypatch):
    root = catalog(tmp_path / "catalog", an_eval(1, "learn"))
    write(tmp_path, {"rules.md": "Be kind.\n"})

    def command(task):
        argv = tuple(shlex.split(task.options["agent-command"]))
        return Launch(argv, files=PLANTED, copies={".codex/AGENTS.md": tmp_path / "rules.md"})

    leaky = Harness("leaky", command, harness.named("command").parse)
    monkeypatch.setattr(harness, "named", lambda _: leaky)
    found = messages(root, sandbox, options={"agent-command": shlex.join(agent("told.py"))})
    assert {how for how, _ in found.values()} == {"harness-config"}
    for _, message in found.values():
        assert message.count("in the agent's home: a skill that was not staged") == len(PLANTED)
        assert ".codex/AGENTS.md in the agent's home: instructions that nobody handed over" in message


def test_what_lies_above_the_workspace_is_found_where_the_agent_can_see_it(sandbox, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(write(tmp_path, {"tmp/x": ""}) / "tmp"))
    root = catalog(tmp_path / "catalog", an_eval(1, "learn"))
    write(root, {"skills/other/SKILL.md": skill("other")})
    write(tmp_path, {**PLANTED, **ORDERS})
    found = messages(root, sandbox)
    for how, message in found.values():
        assert how == "harness-config"
        assert message.count(f" in {tmp_path}: ") == len(PLANTED) + len(ORDERS)


def test_a_plain_run_is_not_searched(tmp_path):
    root = catalog(tmp_path / "catalog", an_eval(1, "well", files=["planted"]))
    write(root / "evals/fixtures/planted", {"CLAUDE.md": "Use jot.\n"})
    (record,) = carried_out(root)
    assert record.status == "passed"
