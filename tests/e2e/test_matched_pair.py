"""A run without the skill differs from one with it in the skill alone."""

import json
import re
import shutil
import subprocess
from difflib import ndiff

import pytest
from catalogs import git
from e2e.agents import CLAUDE, SKILL, catalog
from e2e.clis import search_path
from model.script import say
from model.server import serve

from skillcheck.evals import harness as harnesses
from skillcheck.evals.harness import Task

OF_ONE_RUN = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9a-f]{64}\b|\bcch=[0-9a-f]+")


def strings(value):
    """Every text in a request, with its key, line by line."""
    match value:
        case dict():
            for key, each in value.items():
                yield from (f"{key}: {line}" for line in strings(each))
        case list():
            for each in value:
                yield from strings(each)
        case str():
            yield from OF_ONE_RUN.sub("ID", value).splitlines()
        case _:
            yield json.dumps(value)


def first_request(root, *, has_skill):
    """What claude-code sends first; both arms stand in the same place."""
    harness, work, home = harnesses.named("claude-code"), root / "run/work", root / "run/home"
    (home / "tmp").mkdir(parents=True)
    shutil.copytree(root / "evals/fixtures/meeting", work)
    git(work, "init", "-q")
    staged = work / harness.skills_dir / SKILL
    if has_skill:
        shutil.copytree(root / "skills" / SKILL, staged)
    with serve(say("Done.")) as server:
        environ = {"PATH": search_path(CLAUDE.program), CLAUDE.key: "none", CLAUDE.base: server.url}
        task = Task("Turn notes.txt into decisions", root / "run/prompt.txt", work, home, SKILL,
                    staged if has_skill else None, environ=environ)  # fmt: skip
        task.prompt_file.write_text(task.prompt, "utf-8")
        launch = harness.command(task)
        for name, text in launch.files.items():
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).write_text(text, "utf-8")
        program = shutil.which(launch.argv[0], path=environ["PATH"])
        environment = harnesses.environment(harness, task, launch)
        subprocess.run(
            [program, *launch.argv[1:]], cwd=work, env=environment, input=launch.stdin, timeout=60, check=True,
            capture_output=True,
        )  # fmt: skip
    shutil.rmtree(root / "run")
    return list(strings(server.turns()[0].body))


@pytest.mark.agents
def test_requests_differ_in_the_line_that_lists_the_skill(tmp_path):
    root = catalog(tmp_path)
    without, having = first_request(root, has_skill=False), first_request(root, has_skill=True)
    (line,) = [line for line in ndiff(without, having) if line[0] in "+-?"]
    assert line.startswith("+ ")
    assert f"- {SKILL}: " in line
