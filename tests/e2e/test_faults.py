"""What goes wrong at the model's server ends in the right class and exit status, and leaves no process behind."""

import subprocess
import sys

import pytest
from e2e.agents import CLAUDE, CODEX, NEEDS, PI, VERDICT, behavioral, catalog, left
from model.script import say
from model.server import serve

pytestmark = NEEDS
DETACHED = "setsid sleep 600 >/dev/null 2>&1 & echo started"
LAST = say("Done.")
FAULTS = {
    "401": (LAST.failing("status", 401), "infra-auth"),
    "429": (LAST.failing("status", 429), "infra-rate"),
    "500": (LAST.failing("status", 500), "infra-server"),
    "hang": (LAST.failing("hang"), "infra-timeout"),
    "drop": (LAST.failing("drop"), "infra-protocol"),
    "html": (LAST.failing("html"), "infra-protocol"),
}
every_agent = pytest.mark.parametrize("agent", [CLAUDE, CODEX, PI], ids=lambda agent: agent.harness)


@every_agent
@pytest.mark.parametrize("fault", FAULTS)
def test_fault_is_an_error_of_its_class(agent, fault, tmp_path, log):
    root, (last, how) = catalog(tmp_path), FAULTS[fault]
    with serve(agent.runs(DETACHED), last, answer=VERDICT) as server:
        run = behavioral(agent, root, server, *(("--timeout", "10") if fault == "hang" else ()))
    log(agent, fault, run)
    assert (run.trial["status"], run.trial["class"], run.status) == ("error", how, 3), run
    assert any(asked.fault for asked in server.requests)
    assert left(root) == []


@every_agent
def test_endless_loop_is_stopped_and_graded(agent, tmp_path, log):
    root = catalog(tmp_path)
    with serve(agent.runs(DETACHED), repeat=True, answer=VERDICT) as server:
        run = behavioral(agent, root, server)
    log(agent, "loop", run)
    assert (run.trial["status"], run.trial["class"], run.status) == ("failed", "agent-loop", 1), run
    assert left(root) == []


@every_agent
def test_what_runs_on_without_a_sandbox_is_swept(agent, tmp_path, log):
    root = catalog(tmp_path)
    with serve(agent.runs(DETACHED), LAST, answer=VERDICT) as server:
        run = behavioral(agent, root, server, "--sandbox", "none")
    log(agent, "no sandbox", run)
    assert run.trial["class"] == "completed", run
    assert run.swept > 0 or agent is CODEX  # whose own sandbox takes them with it
    assert left(root) == []


def test_a_process_left_behind_would_be_seen(tmp_path):
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, env={"HOME": str(tmp_path)}) as it:
        assert len(left(tmp_path)) == 1
        it.communicate(b"\n")
    assert left(tmp_path) == []
