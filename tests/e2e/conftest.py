"""The log of the agents' runs, told at the end."""

import pytest

_LINES = pytest.StashKey[list]()


@pytest.fixture
def log(request, record_property):
    """Note one run: agent, version, what was tried, its class, exit status and seconds."""

    def note(agent, what, run):
        trial = run.trial
        line = f"{agent.harness:<12} {trial['version'] or agent.version:<28} {what:<10} {trial['class']:<15} "
        line += f"exit {run.status}  {trial['seconds']:6.1f} s  attempts {trial['attempts']}  swept {run.swept}"
        record_property("run", line)
        request.config.stash.setdefault(_LINES, []).append(line)

    return note


def pytest_terminal_summary(terminalreporter, config):
    if lines := config.stash.get(_LINES, []):
        terminalreporter.section("runs of the agents")
        terminalreporter.write_line("\n".join(lines))
