"""Behavioral evals as users run them, with a stub for an agent: what goes wrong in one trial stays in that trial."""

import pytest
from trials import (
    an_eval,
    behavioral,
    catalog,
    trials,
)

from skillcheck.errors import SkillcheckError
from skillcheck.evals.sandbox import choose

KEY = "sk-stub-0123456789abcdef"
FAULTS = {
    "well": ("passed", "completed", ""),
    "fail": ("failed", "completed", ""),
    "loop": ("passed", "agent-loop", "the agent made the same call again and again"),
    "turns": ("passed", "turn-limit", "error_max_turns"),
    "fork": ("passed", "completed", ""),
    "idle": ("error", "infra-timeout", "no more output came after 2 s, while no tool was running"),
    "stuck": ("error", "agent-timeout", "no more output came after 2 s, while 'Bash' was running"),
    "chatter": ("error", "infra-timeout", "the time was up after 4 s, while no tool was running"),
    "garbage": ("error", "infra-protocol", "the agent's output ended before its result"),
    "rate": ("error", "infra-rate", "the agent ended with status 1: 429 too many requests"),
    "kill": ("error", "infra-protocol", "the agent was killed by SIGKILL"),
    "delete": ("error", "skill-edited", "the agent removed .agents/skills/jot"),
    "edit": ("error", "skill-edited", "the agent changed .agents/skills/jot"),
}
PATIENCE = ("--timeout", "4", "--idle-timeout", "2", "--retries", "0")


@pytest.fixture(scope="session")
def bwrap():
    """Skip where bubblewrap doesn't work."""
    try:
        choose("bwrap")
    except SkillcheckError as error:
        pytest.skip(str(error))


def run_faults(root, sandbox):
    """One run with an eval for each fault, and what stood in the catalog before and after."""
    catalog(root / "catalog", *(an_eval(verb, verb) for verb in FAULTS))
    (root / "tmp").mkdir()
    before = contents(root / "catalog")
    words = (*PATIENCE, "--jobs", "6", "--sandbox", sandbox, "--format", "junit=report.xml")
    ran = behavioral(root / "catalog", *words, env={"TMPDIR": str(root / "tmp")})
    (root / "catalog/report.xml").rename(root / "report.xml")
    return root, before, ran


def contents(root):
    """The bytes of all files but stored results."""
    files = (path for path in root.rglob("*") if path.is_file() and "results" not in path.parts)
    return {str(path.relative_to(root)): path.read_bytes() for path in files}


@pytest.fixture(scope="module", params=["bwrap", "none"])
def faults(request, tmp_path_factory):
    if request.param == "bwrap":
        request.getfixturevalue("bwrap")
    return run_faults(tmp_path_factory.mktemp(request.param), request.param)


@pytest.mark.slow
def test_each_fault_of_an_agent_has_its_class_and_stays_in_its_trial(faults):
    _, _, (status, report, _) = faults
    found = trials(report)
    assert {verb: (t["status"], t["class"], t["message"]) for verb, t in found.items()} == FAULTS
    assert status == 3
    counts = report["metrics"]
    assert (counts["trials"], counts["passed"], counts["failed"], counts["errors"]) == (13, 4, 1, 8)
    assert (counts["pass_rate"], counts["coverage"]) == (4 / 5, 5 / 13)
