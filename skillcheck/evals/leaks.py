"""Skills and instructions that an agent can find without anybody having handed them over.

In a control they would be what is tested, and in a treated trial they would be what helped. Sources: where the hosts
look, observed by planting a marker in each place and reading their first request (see each harness), and the skill
folders that images of SkillsBench copy into.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

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
_READ = 1 << 20  # bytes of a context file that are looked through


def find(work: Path, home: Path, above: Iterable[Path], *, staged: Iterable[Path] = (), skill: str = "") -> list[str]:
    """What leaks, one line each: the place, and what it is.

    `above` are the folders over the workspace that the agent can read, `staged` the skill folders that belong there.
    In the workspace itself a context file is the fixture's, unless it names the `skill`; over it and in the agent's
    home no such file has a place.
    """
    expected = {path.resolve() for path in staged}
    places = {work: "the workspace", home: "the agent's home", **dict.fromkeys(above, "a folder over the workspace")}
    return [
        f"{path} in {where}: {what}"
        for folder, where in places.items()
        for path, what in (*_skills(folder, expected), *_context(folder, skill if folder == work else ""))
    ]


def _skills(folder: Path, expected: set[Path]) -> Iterator[tuple[str, str]]:
    is_root = folder.parent == folder
    hosts = (*HOSTS, *(SYSTEM if is_root else ()))
    for place in (*(f"{host}/{name}" for host in hosts for name in ("skills", "skill")), *(BARE if is_root else ())):
        for found in sorted((folder / place).glob("*/SKILL.md")):
            if found.parent.resolve() not in expected:
                yield found.parent.relative_to(folder).as_posix(), "a skill that was not staged"


def _context(folder: Path, skill: str) -> Iterator[tuple[str, str]]:
    for name in CONTEXT:
        path = folder / name
        if path.is_file() and (not skill or skill.encode() in _beginning(path)):
            yield name, f"instructions that name {skill!r}" if skill else "instructions that nobody handed over"


def _beginning(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_READ)
    except OSError:
        return b""
