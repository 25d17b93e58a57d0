"""Write small catalogs, and run the program on them as users do."""

import io
import json
import os
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout

import pytest

from skillcheck import cli

TIMEOUT_S = 60


def skill(name, description="Sorts old notes into folders. Use when notes have piled up.", body="# Steps\n\nSort.\n"):
    """The text of a SKILL.md that no rule complains about."""
    return f"---\nname: {name}\ndescription: {description}\n---\n\n{body}"


def cases(name, positives=(), negatives=()):
    """The text of a case file; a negative is a prompt, or a prompt and its owner."""
    return json.dumps(
        {
            "skill_name": name,
            "trigger": {
                "positive": [{"prompt": prompt} for prompt in positives],
                "negative": [
                    {"prompt": entry} if isinstance(entry, str) else {"prompt": entry[0], "owner": entry[1]}
                    for entry in negatives
                ],
            },
        }
    )


def write(root, files):
    """Write texts or bytes by posix path below `root`; returns `root`."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def git(root, *words):
    """Run git; returns what it prints."""
    identity = ("-c", "user.name=x", "-c", "user.email=x@example.invalid")
    return subprocess.run(("git", *identity, *words), cwd=root, check=True, capture_output=True, text=True).stdout


def skillcheck(
    *words, cwd, env=None, code="from skillcheck.__main__ import main; main()", timeout_s=TIMEOUT_S, **options
):
    """Run the program in a process of its own; returns status, stdout and stderr, as bytes."""
    environment = {**os.environ, **(env or {})}
    argv = (sys.executable, "-c", code, *words)
    done = subprocess.run(
        argv, cwd=cwd, env=environment, capture_output=True, timeout=timeout_s, check=False, **options
    )
    return done.returncode, done.stdout, done.stderr


def called(*words):
    """Run the command line in this process and its folder; returns the status."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["skillcheck", *map(str, words)])
        return cli.run()


def here(*words, cwd):
    """As `skillcheck`, but in this process, where what is slow to load is loaded once."""
    with chdir(cwd), redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        status = called(*words)
    return status, out.getvalue().encode(), err.getvalue().encode()


PLUGIN = """
from skillcheck.diagnostic import Problem, Severity
from skillcheck.rules import SkillRule
from skillcheck.span import Span


def check(skill, context):
    yield Problem(Span(1, 1, 1, 4), "a house rule is broken")


RULE = SkillRule("house_rule", Severity.WARNING, "A rule of the house is broken.", check)
"""


def plugin(site, *, group="skillcheck.rules", name="house-rule", target="house_rule:RULE", source=PLUGIN):
    """Install a distribution called house-rules, with one entry point and one module, into the folder `site`."""
    return write(
        site,
        {
            "house_rules-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: house-rules\nVersion: 1.0\n",
            "house_rules-1.0.dist-info/entry_points.txt": f"[{group}]\n{name} = {target}\n",
            "house_rule.py": source,
        },
    )
