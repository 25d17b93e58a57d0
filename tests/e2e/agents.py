"""The agents: what the model of each would call to load a skill, write a file or run a command; and a run of one."""

import json
import os
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
from catalogs import skill, skillcheck, write
from e2e.clis import PACKAGES, search_path
from model.script import Turn, call

from skillcheck import __version__

SKILL = "tidy-notes"
DESCRIPTION = "Turns notes into decisions. Use when a meeting is over."
DECISION = "- Decision: the red one\n"
PATCH = f"apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: DECISIONS.md\n+{DECISION}*** End Patch\nEOF\n"
READ = f".agents/skills/{SKILL}/SKILL.md"
EVAL = {
    "id": 1,
    "prompt": "Turn notes.txt into decisions",
    "expected_output": "DECISIONS.md with one decision",
    "files": ["meeting"],
    "expectations": ["DECISIONS.md names the red one"],
    "checks": [
        {"type": "file-contains", "path": "DECISIONS.md", "text": "red one"},
        {"type": "skill-used"},
    ],
}
VERDICT = {"expectations": [{"id": 1, "passed": True, "evidence": "DECISIONS.md was written"}]}
"""What the judge answers."""
TIMEOUT_S = 240
NEEDS = [
    pytest.mark.agents,
    pytest.mark.skipif(not shutil.which("npm"), reason="the agents come from npm"),
    pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks for processes in Linux's /proc"),
]
"""The marks of every test that runs an agent."""


class Agent(NamedTuple):
    """One agent. `base` is the variable that leads it to another server, and `path` what follows that server's URL.

    `terminal` is its tool for commands, with the name of the command's argument.
    """

    harness: str
    program: str
    model: str
    key: str
    base: str
    path: str
    loads: Turn
    writes: Turn
    terminal: tuple[str, str] = ("bash", "command")

    def runs(self, command):
        """A turn that runs a command."""
        tool, argument = self.terminal
        return call(tool, **{argument: command})

    @property
    def version(self):
        """The version that is installed."""
        return PACKAGES[self.program].rpartition("@")[2] if self.program else __version__


CLAUDE = Agent(
    "claude-code", "claude", "claude-haiku-4-5", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "",
    loads=call("Skill", skill=SKILL),
    writes=call("Write", file_path="DECISIONS.md", content=DECISION),
    terminal=("Bash", "command"),
)  # fmt: skip
CODEX = Agent(
    "codex", "codex", "gpt-5.1-codex", "OPENAI_API_KEY", "OPENAI_BASE_URL", "/v1",
    loads=call("exec_command", cmd=f"cat {READ}"),
    writes=call("exec_command", cmd=PATCH),
    terminal=("exec_command", "cmd"),
)  # fmt: skip
PI = Agent(
    "pi", "pi", "openai/gpt-5.1", "OPENAI_API_KEY", "OPENAI_BASE_URL", "/v1",
    loads=call("read", path=READ),
    writes=call("write", path="DECISIONS.md", content=DECISION),
)  # fmt: skip
GEMINI = Agent(
    "gemini", "gemini", "gemini-2.5-pro", "GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL", "",
    loads=call("activate_skill", name=SKILL),
    writes=call("write_file", file_path="DECISIONS.md", content=DECISION),
)  # fmt: skip
OPENCODE = Agent(
    "opencode", "opencode", "openai/gpt-4.1", "OPENAI_API_KEY", "OPENAI_BASE_URL", "/v1",
    loads=call("skill", name=SKILL),
    writes=call("write", filePath="DECISIONS.md", content=DECISION),
)  # fmt: skip
QWEN = Agent(
    "qwen", "qwen", "scripted", "OPENAI_API_KEY", "OPENAI_BASE_URL", "/v1",
    loads=call("skill", skill=SKILL),
    # its write_file takes absolute paths only, and the workspace's is known to nobody before the run
    writes=call("run_shell_command", command=f"echo '{DECISION.strip()}' > DECISIONS.md", is_background=False),
)  # fmt: skip

OURS = Agent(
    "anthropic", "", "claude-haiku-4-5", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "",
    loads=call("Skill", skill=SKILL),
    writes=call("edit", command="create", path="DECISIONS.md", text=DECISION),
)  # fmt: skip
"""The one that needs no npm: its program is a part of this one."""


class Run(NamedTuple):
    """What came of a run of the program: its exit status, the one trial of its report, and what was kept of that."""

    status: int
    trial: dict
    folder: Path

    @property
    def swept(self):
        """How many processes had to be killed after the agent."""
        return json.loads((self.folder / "outcome.json").read_text("utf-8"))["left"]


def catalog(root):
    """A catalog of one skill with one eval, and its fixture."""
    body = "# Steps\n\nRead `references/form.md`, then write DECISIONS.md.\n"
    return write(
        root,
        {
            f"skills/{SKILL}/SKILL.md": skill(SKILL, DESCRIPTION, body),
            f"skills/{SKILL}/references/form.md": "# Form\n\nOne line for each decision.\n",
            f"evals/cases/{SKILL}.json": json.dumps({"skill_name": SKILL, "evals": [EVAL]}),
            "evals/fixtures/meeting/notes.txt": "We buy the red one.\n",
        },
    )


def behavioral(agent, root, server, *words):
    """Run the eval of the catalog in `root` with an agent that thinks `server` is its model; `tmp/` holds all it makes.

    The grader asks the same server.
    """
    status, report = reported(agent, root, server, *words)
    (trial,) = report["trials"]
    (folder,) = root.glob(f"evals/results/*/{SKILL}/1/1")
    return Run(status, trial, folder)


def reported(agent, root, server, *words):
    """The exit status and the report of such a run."""
    (root / "tmp").mkdir(exist_ok=True)
    environment = {
        "PATH": search_path(agent.program) if agent.program else os.environ["PATH"],
        "TMPDIR": str(root / "tmp"),
        "ANTHROPIC_API_KEY": "none",
        "ANTHROPIC_BASE_URL": server.url,
        agent.key: "none",
        agent.base: server.url + agent.path,
    }
    asked = ("--harness", agent.harness, "--model", agent.model, "--delivery", "native", "--format", "json")
    status, out, err = skillcheck("behavioral", SKILL, *asked, *words, cwd=root, env=environment, timeout_s=TIMEOUT_S)
    assert out, err.decode()
    return status, json.loads(out)


def left(root):
    """The command lines of the processes that still run with a HOME or anything else below `root`."""
    return [
        _read(folder / "cmdline").replace(b"\0", b" ").decode()
        for folder in Path("/proc").glob("[0-9]*")
        if str(root).encode() in _read(folder / "environ")
    ]


def _read(file):
    try:
        return file.read_bytes()
    except (FileNotFoundError, ProcessLookupError, PermissionError):  # ended meanwhile, or another user's
        return b""
