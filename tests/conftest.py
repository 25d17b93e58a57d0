"""Settings of the whole suite: examples are the same in every run, and nobody's git or terminal settings count."""

import os
import subprocess
import sys

import pytest
from catalogs import called
from hypothesis import HealthCheck, settings
from trials import command

settings.register_profile(
    "suite",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=100,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.load_profile("suite")


@pytest.hookimpl(wrapper=True)
def pytest_xdist_auto_num_workers():
    """Half as many again as there are cores, since many tests wait for a process or a clock."""
    cores = yield
    return cores + cores // 2


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch):
    for name in ("SKILLCHECK_DEBUG", "NO_COLOR", "GITHUB_WORKSPACE", "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


@pytest.fixture
def impatient(monkeypatch):
    """Anthropic's client tries again as often as it does, without its pauses, which no argument sets."""
    monkeypatch.setattr("anthropic._base_client.MAX_RETRY_DELAY", 0)


@pytest.fixture
def run(tmp_path, monkeypatch, capfd):
    """Run the command line in tmp_path and in this process; returns status, stdout and stderr."""
    monkeypatch.chdir(tmp_path)

    def run(*words):
        return called(*words), *capfd.readouterr()

    return run


@pytest.fixture
def start():
    """Begin a run whose stub notes its calls, without a sandbox; no run outlives its test."""
    begun = []

    def start(root, calls, *words, **env):
        given = ("behavioral", "--harness", "command", "--agent-command", command(calls), "--sandbox", "none", *words)
        argv = (sys.executable, "-m", "skillcheck", *map(str, given))
        pipe = subprocess.PIPE
        begun.append(subprocess.Popen(argv, cwd=root, env={**os.environ, **env}, stdout=pipe, stderr=pipe))
        return begun[-1]

    yield start
    for each in begun:
        each.kill()
        each.communicate()
