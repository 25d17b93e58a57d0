"""Each agent does an eval from end to end: the real CLIs and our own agent, against the scripted server."""

import json

import pytest
from e2e.agents import (
    CLAUDE,
    CODEX,
    DECISION,
    DESCRIPTION,
    GEMINI,
    NEEDS,
    OPENCODE,
    OURS,
    PI,
    QWEN,
    VERDICT,
    behavioral,
    catalog,
    left,
)
from model.script import INPUT_TOKENS, OUTPUT_TOKENS, say
from model.server import serve

REAL = (CLAUDE, CODEX, PI, GEMINI, OPENCODE, QWEN)
AGENTS = (OURS, *(pytest.param(agent, marks=NEEDS) for agent in REAL))


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.harness)
def test_agent_loads_the_skill_and_does_the_task(agent, tmp_path, log):
    root = catalog(tmp_path)
    with serve(agent.loads, agent.writes, say("Done."), answer=VERDICT) as server:
        run = behavioral(agent, root, server)
    log(agent, "task", run)
    assert (run.status, run.trial["status"], run.trial["class"]) == (0, "passed", "completed"), run
    assert [check["passed"] for check in run.trial["checks"]] == [True, True]
    assert run.trial["skill_loaded"]
    assert agent.version in run.trial["version"]
    used = run.trial["usage"]
    assert (used["input"], used["output"]) == (3 * INPUT_TOKENS, 3 * OUTPUT_TOKENS)
    assert f"+{DECISION}" in (run.folder / "diff.patch").read_text("utf-8")
    first, *_ = server.turns()
    assert DESCRIPTION in json.dumps(first.body)
    assert left(root) == []
