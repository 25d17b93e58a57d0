"""A run without the skill differs from one with it in the skill alone."""

import json
import re
import shutil
import subprocess
from difflib import ndiff

from e2e.agents import CLAUDE, DESCRIPTION, EVAL, NEEDS, SKILL, catalog
from e2e.clis import search_path
from model.script import say
from model.server import serve

from skillcheck.evals import harness as harnesses
from skillcheck.evals.harness import Task
from skillcheck.evals.workspace import Staging, made

pytestmark = NEEDS
RUN_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9a-f]{64}\b")


def lines(value):
    """Every text in a request, line by line."""
    match value:
        case dict():
            return [f"{key}: {line}" for key, each in value.items() for line in lines(each)]
        case list():
            return [line for each in value for line in lines(each)]
        case str():
            return value.splitlines()
        case _:
            return [json.dumps(value)]


def first_request(root, skill):
    """What claude-code sends first, without what is of this run alone."""
    harness = harnesses.named("claude-code")
    staged = [Staging(skill, f"{harness.skills_dir}/{skill.name}")] if skill else []
    with (
        serve(say("Done.")) as server,
        made(["meeting"], root / "evals/fixtures", mark="test", skills=staged) as place,
    ):
        environ = {"PATH": search_path(CLAUDE.program), CLAUDE.key: "none", CLAUDE.base: server.url}
        task = Task(EVAL["prompt"], place.handed / "prompt.txt", place.work, place.home, environ=environ)
        launch = harness.command(task)
        program = shutil.which(launch.argv[0], path=environ["PATH"])
        environment = harnesses.environment(harness, task, launch)
        command = [program, *launch.argv[1:]]
        subprocess.run(
            command, cwd=place.work, env=environment, input=launch.stdin, capture_output=True, timeout=60, check=True
        )
        first, *_ = server.turns()
    return [RUN_ID.sub("ID", line.replace(place.root.name, "ROOT")) for line in lines(first.body)]


def test_requests_differ_in_the_line_that_lists_the_skill(tmp_path):
    root = catalog(tmp_path)
    without, having = first_request(root, None), first_request(root, root / "skills" / SKILL)
    (line,) = [line for line in ndiff(without, having) if line[0] in "+-"]
    assert line.startswith("+ ")
    assert line.endswith(f"- {SKILL}: {DESCRIPTION}")
