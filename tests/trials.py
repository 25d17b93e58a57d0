"""A catalog with one skill, evals whose prompts tell the stub agent what to do, and runs of it as users make them."""

import json
import os
import shlex
from pathlib import Path

from catalogs import here, skill, skillcheck, write
from stubs import agent

from skillcheck import api
from skillcheck.evals.plan.settings import Settings

CHECK = {"type": "file-contains", "path": "answer.txt", "text": "well"}
GRADER = shlex.join(agent("quoting_grader.py"))
SKILL, CASES = "skills/jot/SKILL.md", "evals/cases/jot.json"


def an_eval(ident, prompt, **more):
    """One entry of a case file; without `checks` or `expectations`, answer.txt must hold `well`."""
    entry = {"id": ident, "prompt": prompt, "expected_output": "A file.", "files": ["inbox"], **more}
    return entry if "expectations" in more or "checks" in more else {**entry, "checks": [CHECK]}


def case_file(*evals):
    """The text of a case file."""
    return json.dumps({"skill_name": "jot", "evals": evals}, indent=2)


def catalog(root, *evals):
    """A catalog with the skill `jot` and these evals; returns `root`."""
    return write(
        root,
        {
            ".skillcheck.toml": 'ignore = ["insufficient-cases", "missing-cases"]\n',
            SKILL: skill("jot"),
            "skills/jot/reference.md": "Jot.\n",
            CASES: case_file(*evals),
            "evals/fixtures/inbox/note.txt": "A note.\n",
        },
    )


def command(*words):
    """The stub as --agent-command."""
    return shlex.join(agent("told.py", *map(str, words)))


def behavioral(root, *words, agent_words=(), **options):
    """Run `skillcheck behavioral` with the stub; returns status, the report as JSON (None without) and stderr.

    It is run in this process unless `env` or another option asks for one of its own.
    """
    agents = () if "--harness" in words else ("--harness", "command", "--agent-command", command(*agent_words))
    ran = skillcheck if options else here
    status, out, err = ran("behavioral", *agents, "--format", "json", *words, cwd=root, **options)
    return status, json.loads(out) if out else None, err.decode()


def trials(report):
    """The trials of a report, by eval."""
    return {trial["eval"]: trial for trial in report["trials"]}


def outcomes(root, run="*"):
    """What is stored of each trial, by run, eval and number."""
    paths = (root / "evals/results").glob(f"{run}/jot/[!.]*/[!.]*/outcome.json")  # hidden ones are being written
    return {tuple(path.parts[-5:-1:1]): json.loads(path.read_bytes()) for path in paths}


def folders(home):
    """A catalog's folder, one for calls and one for temporary files."""
    for name in ("catalog", "calls", "tmp"):
        (home / name).mkdir(parents=True)
    return home / "catalog", home / "calls", home / "tmp"


def calls_of(calls):
    """How often each eval's agent was called."""
    names = [path.name.split("-")[0] for path in calls.iterdir()]
    return {name: names.count(name) for name in names}


def running_in(folder):
    """The ids of processes that were started with this folder in their environment; Linux only."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if str(folder).encode() in path.read_bytes():
                found.add(path.parent.name)
        except OSError:
            continue
    return found


def carried_out(root, environ=None, agent_words=(), harness="command", **settings):
    """The records of a run in this process, without a sandbox unless one is named."""
    given = {"sandbox": "none", "retries": 0, "options": {"agent-command": command(*agent_words)}, **settings}
    everything = api.choose((), api.configure(base=root), root)
    return api.evaluate(api.plan(everything, Settings(harness, **given), {**os.environ, **(environ or {})})).records
