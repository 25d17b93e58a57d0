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
    from collections.abc import Iterable, Iterator, Mapping

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
"""Files that hosts read as instructions, some of them in each folder that the agent looks into."""
MACHINE = Path("/")
"""The root of the file system, where agents aren't kept in one of their own."""
_FIRST = frozenset(path.partition("/")[0] for path in (*HOSTS, *CONTEXT))
"""What a folder has where there is anything to find in it."""
_READ = 1 << 20  # bytes of a context file that are looked through


def find(
    work: Path, home: Path, above: Iterable[Path], *, skill: str, staged: Iterable[Path] = (), machine: Path = MACHINE
) -> list[str]:
    """What leaks, one line each: the place, and what it is.

    `above` are the folders over the workspace that the agent can read, `staged` the skill folders that belong there,
    `machine` is the root of the agent's file system.
    """
    expected = {path.resolve() for path in staged}
    leaks = _inside(work, expected, skill)
    found = [f"{path.relative_to(work)} in the workspace: {what}" for path, what in leaks.items()]
    for folder, where in {home: "the agent's home", **{folder: str(folder) for folder in above}}.items():
        skills, instructions = _skills(folder, expected, is_root=folder == machine), _instructions(folder)
        found += [f"{path.relative_to(folder)} in {where}: a skill that was not staged" for path in skills]
        found += [
            f"{path.relative_to(folder)} in {where}: instructions that nobody handed over" for path in instructions
        ]
    return found


def _inside(work: Path, expected: set[Path], skill: str) -> Mapping[Path, str]:
    """The leaks of a workspace: skills at its top, and else what names the `skill`, since the rest is the task's."""
    named = re.compile(rb"(?<![\w-])%s(?![\w-])" % re.escape(skill.encode()))
    found: dict[Path, str] = {}
    for folder, names, files in os.walk(work):
        names[:] = sorted(name for name in names if name != ".git" and Path(folder, name) not in expected)
        if _FIRST.isdisjoint((*names, *files)):
            continue
        for path in _skills(Path(folder), expected):
            if Path(folder) == work:
                found[path] = "a skill that was not staged"
            elif named.search(_beginning(path / "SKILL.md")):
                found[path] = f"a skill that names {skill!r}"
        for path in _instructions(Path(folder)):
            if named.search(_beginning(path)):
                found[path] = f"instructions that name {skill!r}"
    return found


def _skills(folder: Path, expected: set[Path], *, is_root: bool = False) -> Iterator[Path]:
    """The folders of skills that a host finds in a project or a HOME, but for the `expected`."""
    hosts = (*HOSTS, *(SYSTEM if is_root else ()))
    for place in (*(f"{host}/{name}" for host in hosts for name in ("skills", "skill")), *(BARE if is_root else ())):
        if os.path.isdir(folder / place):  # noqa: PTH112 - Path.is_dir raises
            found = (path.parent for path in sorted((folder / place).glob("*/SKILL.md")))
            yield from (path for path in found if path.resolve() not in expected)


def _instructions(folder: Path) -> Iterator[Path]:
    paths = (folder / name for name in CONTEXT)
    return (path for path in paths if os.path.isfile(path))  # noqa: PTH113 - Path.is_file raises


def _beginning(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_READ)
    except OSError:
        return b""
