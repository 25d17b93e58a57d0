"""Skills and instructions that an agent can find without anybody having handed them over.

In a control they would be what is tested, and in a treated trial they would be what helped. Sources: where the hosts
look, observed by planting a marker in each place and reading their first request (see each harness), and the skill
folders that images of SkillsBench copy into.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

HOSTS = (
    ".agents", ".claude", ".codex", ".config/agents", ".config/goose", ".config/opencode", ".copilot", ".cursor",
    ".factory", ".gemini", ".github", ".goose", ".opencode", ".pi", ".pi/agent", ".qwen", ".windsurf",
)  # fmt: skip
"""The folders of hosts, in a project or a HOME; each has its skills in `skills` or `skill`."""
BARE = ("skills", "_deps/skills")
"""Where images put skills that no host looks for, relative to the root of the file system."""
SYSTEM = ("etc/claude-code/.claude", "etc/codex")
"""The same for all users, relative to the root of the file system."""
CONTEXT = (
    "AGENTS.md", "AGENTS.override.md", "CLAUDE.md", "CLAUDE.local.md", "GEMINI.md", "QWEN.md", ".cursorrules",
    ".windsurfrules", ".github/copilot-instructions.md", ".claude/CLAUDE.md", ".codex/AGENTS.md", ".gemini/GEMINI.md",
    ".qwen/QWEN.md", ".config/opencode/AGENTS.md", ".pi/agent/AGENTS.md",
)  # fmt: skip
"""Files that hosts read as instructions."""
MACHINE = Path("/")
_READ = 1 << 20  # bytes of a context file that are looked through


def find(
    work: Path, home: Path, above: Iterable[Path], *, skill: str, staged: Iterable[Path] = (), machine: Path = MACHINE
) -> list[str]:
    """What leaks, one line each: the place, and what it is.

    `above` are the folders over the workspace that the agent can read, `staged` the skill folders that belong there,
    `machine` is the root of the agent's file system. In the workspace itself a context file is the fixture's, unless it
    names the `skill`; over it and in the agent's home no such file has a place.
    """
    expected = {path.resolve() for path in staged}
    places = {work: "the workspace", home: "the agent's home", **{folder: str(folder) for folder in above}}
    return [
        f"{path} in {where}: {what}"
        for folder, where in places.items()
        for path, what in (
            *_skills(folder, expected, is_root=folder == machine),
            *_context(folder, skill if folder == work else ""),
        )
    ]


def _skills(folder: Path, expected: set[Path], *, is_root: bool = False) -> Iterator[tuple[str, str]]:
    hosts = (*HOSTS, *(SYSTEM if is_root else ()))
    for place in (*(f"{host}/{name}" for host in hosts for name in ("skills", "skill")), *(BARE if is_root else ())):
        for found in sorted((folder / place).glob("*/SKILL.md")):
            if found.parent.resolve() not in expected:
                yield found.parent.relative_to(folder).as_posix(), "a skill that was not staged"


def _context(folder: Path, skill: str = "") -> Iterator[tuple[str, str]]:
    """Files of instructions; of the `skill` if one is given, whose name stands in them as a word."""
    named = re.compile(rb"(?<![\w-])%s(?![\w-])" % re.escape(skill.encode()))
    for name in CONTEXT:
        path = folder / name
        if os.path.isfile(path) and (not skill or named.search(_beginning(path))):  # noqa: PTH113 - Path.is_file raises
            yield name, f"instructions that name {skill!r}" if skill else "instructions that nobody handed over"


def _beginning(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_READ)
    except OSError:
        return b""
