"""Two arms through the real CLIs: the model does the task only where its request lists the skill."""

import json
import re
from difflib import ndiff

import pytest
from catalogs import skill, write
from e2e.agents import CLAUDE, DECISION, DESCRIPTION, EVAL, NEEDS, OURS, PI, SKILL, Run, catalog, left, reported
from model.script import say
from model.server import serve

from skillcheck.evals.workspace import leaks

AGENTS = (OURS, *(pytest.param(agent, marks=NEEDS) for agent in (CLAUDE, PI)))
every_agent = pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.harness)
ARMS = ("--arms", "with,without", "--grader", "none")
RUN_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9a-f]{64}\b|skillcheck-[\w-]+|\b[0-9a-f]{32,40}\b")
HOSTS = [f"{host}/{name}" for host in leaks.HOSTS for name in ("skills", "skill")]
HINT = f"- {SKILL}: {DESCRIPTION}"


def script(agent):
    """A model that needs the skill's listing to know what to do."""
    return agent.loads.where(DESCRIPTION), agent.writes, say("Done.")


def lines(value):
    """Every text in a request, line by line."""
    match value:
        case dict():
            return [f"{key}: {line}" for key, each in value.items() for line in lines(each)]
        case list():
            return [line for each in value for line in lines(each)]
        case str():
            return RUN_ID.sub("ID", value).splitlines()
        case _:
            return [json.dumps(value)]


def by_arm(report):
    return {trial["arm"]: trial for trial in report["trials"]}


@every_agent
def test_the_arm_with_the_skill_passes_and_the_other_fails(agent, tmp_path, log):
    root = catalog(tmp_path)
    with serve(*script(agent)) as server:
        status, report = reported(agent, root, server, *ARMS)
    trials = by_arm(report)
    for arm, folder in (("with", "1"), ("without", "without-1")):
        (found,) = root.glob(f"evals/results/*/{SKILL}/1/{folder}")
        log(agent, arm, Run(status, trials[arm], found))
        assert (f"+{DECISION}" in (found / "diff.patch").read_text("utf-8")) == (arm == "with")
    assert {arm: (t["status"], t["class"], t["skill_loaded"]) for arm, t in trials.items()} == {
        "with": ("passed", "completed", True),
        "without": ("failed", "completed", False),
    }
    (study,) = report["studies"]
    assert (study["effect"]["delta"], study["effect"]["wins"], study["verdict"]["word"]) == (1, 1, "insufficient")
    assert status == 0
    assert left(root) == []


@pytest.mark.parametrize(
    ("agent", "first", "last"),
    [
        pytest.param(CLAUDE, f"- {SKILL}: {DESCRIPTION}", f"- {SKILL}: {DESCRIPTION}", marks=NEEDS),
        pytest.param(PI, "<skills>", "</skills>", marks=NEEDS),
    ],
    ids=["claude-code", "pi"],
)
def test_the_first_requests_differ_in_the_listing_alone(agent, first, last, tmp_path):
    """claude-code lists a skill in one line, pi in a block of its own."""
    root = catalog(tmp_path)
    with serve(say("Done.")) as server:
        reported(agent, root, server, *ARMS)
    having, without = (lines(request.body) for request in server.turns() if request.played == "turn 0")
    added = [line for line in ndiff(without, having) if line[0] in "+-"]
    assert all(line[0] == "+" for line in added), added
    listing = [line[2:] for line in added if line[2:].rpartition(": ")[2]]
    assert (listing[0].endswith(first), listing[-1].endswith(last)) == (True, True), listing
    assert any(DESCRIPTION in line for line in listing)
    assert len(having) == len(without) + len(added)


@every_agent
def test_a_leak_in_each_place_fails_both_arms_with_the_place_named(agent, tmp_path):
    """The folder of the catalog lies over the workspaces; the fixture is the workspace's own top."""
    root = catalog(tmp_path)
    planted = {f"{place}/leaked/SKILL.md": skill("leaked", DESCRIPTION) for place in HOSTS}
    orders = dict.fromkeys(leaks.CONTEXT, f"Follow the skill {SKILL}.\n")
    entry = {**EVAL, "files": ["meeting", *sorted({**planted, **orders})]}
    write(root, {**planted, **orders, f"evals/cases/{SKILL}.json": json.dumps({"skill_name": SKILL, "evals": [entry]})})
    write(root / "evals/fixtures", {**planted, **orders})
    with serve(*script(agent)) as server:
        status, report = reported(agent, root, server, *ARMS, "--sandbox", "none")
        assert server.turns() == []
    for arm, trial in by_arm(report).items():
        assert (trial["status"], trial["class"]) == ("error", "harness-config"), arm
        for name in planted:
            folder = name.removesuffix("/SKILL.md")
            assert f"{folder} in the workspace: a skill that was not staged" in trial["message"]
            assert f"{folder} in {root}: a skill that was not staged" in trial["message"]
        for name in orders:
            assert f"{name} in the workspace: instructions that name '{SKILL}'" in trial["message"]
            assert f"{name} in {root}: instructions that nobody handed over" in trial["message"]
    assert status == 3
