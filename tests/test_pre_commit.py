"""The hook of this checkout, run by pre-commit itself in a scratch repository. It installs from a package index."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
GOOD = (
    "---\nname: tidy-notes\ndescription: Sorts notes. Use when a folder of notes has grown.\n---\n\n# Tidy\n\nSort.\n"
)
CONFIG = """repos:
  - repo: {root}
    rev: {revision}
    hooks:
      - id: skillcheck-lint
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("pre-commit"), reason="needs pre-commit"),
    pytest.mark.skipif(not (ROOT / ".git").exists(), reason="needs the repository that the hook comes from"),
]


def git(cwd, *words):
    command = ("git", "-c", "user.name=x", "-c", "user.email=x@example.invalid", *words)
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    root = tmp_path_factory.mktemp("repository")
    git(root, "init", "-q")
    revision = git(ROOT, "rev-parse", "HEAD").stdout.strip()
    (root / ".pre-commit-config.yaml").write_text(CONFIG.format(root=ROOT, revision=revision), "utf-8")
    subprocess.run(["pre-commit", "install"], cwd=root, check=True, capture_output=True)
    return root


def commit(root, text):
    file = root / "skills" / "tidy-notes" / "SKILL.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    git(root, "add", "--all")
    return git(root, "commit", "-m", "change")


def test_a_broken_skill_is_stopped_and_a_good_one_passes(repository):
    stopped = commit(repository, GOOD.replace("name: tidy-notes", "name: Tidy"))
    assert stopped.returncode == 1
    assert "skills/tidy-notes/SKILL.md:2:7: error" in stopped.stdout + stopped.stderr
    passed = commit(repository, GOOD)
    assert passed.returncode == 0, passed.stdout + passed.stderr
