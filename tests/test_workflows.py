"""Our workflows: what they use is pinned, and what they run is understood."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
import yaml
from catalogs import here

from skillcheck.evals import harness

ROOT = Path(__file__).parent.parent
FILES = sorted((ROOT / ".github/workflows").glob("*.yml"))
NIGHTLY = yaml.safe_load((ROOT / ".github/workflows/nightly.yml").read_text("utf-8"))["jobs"]["evals"]
COMMANDS = [
    shlex.split(found)
    for step in NIGHTLY["steps"]
    for found in re.findall(r"^skillcheck .*?(?=$| \|\|)", step.get("run", "").replace("\\\n", " "), re.MULTILINE)
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_actions_are_pinned_by_hash_and_nothing_is_permitted_by_default(path):
    text = path.read_text("utf-8")
    used = re.findall(r"uses: (.*)", text)
    assert used
    assert [line for line in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line)] == []
    assert yaml.safe_load(text)["permissions"] == {}


def test_the_nightly_run_plans_its_evals_and_looks_back(tmp_path):
    for name in ("skills", "evals"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("results"))
    run, look_back = ([word.replace("$SEED", "7") for word in command[1:]] for command in COMMANDS)
    status, out, err = here(*run, "--dry-run", cwd=tmp_path)
    assert (status, err) == (0, b"")
    assert b"[dry-run] Evals" in out
    assert here(*look_back, cwd=tmp_path) == (2, b"", b"error: there are no stored runs\n")


def test_the_nightly_agent_is_the_one_that_was_tested():
    assert NIGHTLY["env"]["CLAUDE_CODE"] == harness.named("claude-code").tested
