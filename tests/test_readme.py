"""What the README shows is run: its commands, its case file, its settings, its hooks."""

import json
import re
import shlex
import shutil
import tomllib
from pathlib import Path

import pytest
import yaml
from catalogs import git, here
from trials import an_eval, catalog

from skillcheck import api, schemas
from skillcheck.rules import active
from skillcheck.studies.fitness import PURPOSES, WEIGHTS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def commands(block):
    """Each command with the folder that it is run in, and the exit status that a comment foretells."""
    folder = "."
    for line in block.splitlines():
        words, status = shlex.split(line, comments=True), re.search(r"# exit status (\d)$", line)
        if words[0] == "cd":
            folder = words[1]
        elif words[0] == "skillcheck":
            yield folder, words[1:], int(status[1]) if status else 0


BLOCKS = [found for block in blocks("console") if (found := list(commands(block)))]


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    """Our own catalog in a repository of its own, with the branch that the README speaks of."""
    root = tmp_path_factory.mktemp("repository")
    for name in ("skills", "evals"):
        shutil.copytree(ROOT / name, root / name)
    git(root, "init", "-q")
    git(root, "add", "--all")
    git(root, "commit", "-q", "-m", "start")
    git(root, "update-ref", "refs/remotes/origin/main", "HEAD")
    return root


@pytest.mark.parametrize("block", [b for b in BLOCKS if b[0][0] == "."], ids=lambda block: " ".join(block[0][1]))
def test_commands_run(block, repository):
    for folder, words, expected in block:
        status, out, err = here(*words, cwd=repository / folder)
        assert status == expected, out + err


def test_the_experiment_prints_what_is_shown(tmp_path):
    """Lines may be left out, and an ellipsis stands for what differs from run to run or is too long."""
    ignored = shutil.ignore_patterns("results")
    commands = [command for block in BLOCKS if block[0][0] != "." for command in block]
    is_shown = ["--arms" in words or "fitness" in words for _, words, _ in commands]
    shown = iter(blocks("text"))
    for (folder, words, expected), show in zip(commands, is_shown, strict=True):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignored, dirs_exist_ok=True)
        status, out, err = here(*words, cwd=tmp_path / folder)
        assert status == expected, out + err
        if show:
            lines = (re.escape(line).replace("…", ".*") for line in next(shown).splitlines())
            assert re.search("^" + r"$(?:\n.*)*?\n".join(lines) + "$", out.decode(), re.MULTILINE), out.decode()
    assert next(shown, None) is None


@pytest.mark.parametrize("text", blocks("json"))
def test_case_files_are_valid(text):
    assert schemas.problems("cases", json.loads(text)) == ()


def test_settings_are_known(tmp_path):
    (text,) = blocks("toml")
    (tmp_path / "pyproject.toml").write_text(text, "utf-8")
    shown = tomllib.loads(text)["tool"]["skillcheck"]["rules"]
    read = api.configure(base=tmp_path)
    assert read.rules == shown
    active(read)


def test_the_shards_of_the_matrix_are_merged(tmp_path, run, monkeypatch):
    """Each step is run as it is shown, with an agent that does nothing, and artifacts are handed on as GitHub does."""
    (block,) = (block for block in blocks("yaml") if "matrix:" in block)
    jobs = yaml.safe_load(block)["jobs"]
    (shard,), (merge,) = (
        [shlex.split(step["run"]) for step in job["steps"] if step.get("run", "").startswith("skillcheck ")]
        for job in (jobs["evals"], jobs["merge"])
    )
    (uploaded,) = (step["with"]["path"] for step in jobs["evals"]["steps"] if "upload" in step.get("uses", ""))
    (downloaded,) = (step["with"]["path"] for step in jobs["merge"]["steps"] if "download" in step.get("uses", ""))
    last = catalog(tmp_path / "merge", an_eval(1, "well"), an_eval(2, "well"))
    for number in jobs["evals"]["strategy"]["matrix"]["shard"]:
        home = catalog(tmp_path / str(number), an_eval(1, "well"), an_eval(2, "well"))
        monkeypatch.chdir(home)
        words = " ".join(shard[1:]).replace("${{ matrix.shard }}", str(number)).split()
        assert run(*words, "--harness", "nop", "--sandbox", "none")[0] == (1 if number < 3 else 0)
        shutil.copytree(home / uploaded, last / downloaded, dirs_exist_ok=True)
    monkeypatch.chdir(last)
    status, out, _ = run(*merge[1:])
    assert (status, "0 passed, 6 failed, 0 errors" in out) == (1, True)
    assert (last / "evals.xml").exists()


def test_weights_are_those_of_the_fitness_index():
    for name, weight in WEIGHTS.items():
        assert f"\n| {name} | {weight} | {PURPOSES['math'][name]} | {PURPOSES['tool'][name]} |" in README


def test_hooks_are_shipped():
    shipped = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))}
    (block,) = (block for block in blocks("yaml") if "repos:" in block)
    shown = {hook["id"] for hook in yaml.safe_load(block)["repos"][0]["hooks"]}
    assert shown == shipped
