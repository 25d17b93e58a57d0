"""Run git without anybody's settings: not the user's, not the system's, not what a variable says."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from skillcheck import process
from skillcheck.errors import SkillcheckError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

DATE = "2025-01-01T00:00:00+0000"
"""When our own commits are made: the same content has the same id on every machine."""
PERSON = {"name": "Workspace", "email": "workspace@example.invalid"}
"""Who commits: a name that cannot be taken for somebody's, and an address that cannot exist."""

_SETTINGS = {
    "core": {
        "repositoryformatversion": "0", "filemode": "true", "logallrefupdates": "true",
        "autocrlf": "false", "fsmonitor": "false",
    },
    "user": PERSON,
    "commit": {"gpgsign": "false"},
    "gc": {"auto": "0"},
    "maintenance": {"auto": "false"},
}  # fmt: skip


def init(folder: Path, settings: Mapping[str, Mapping[str, str]] | None = None) -> None:
    """Make `folder` a repository without hooks and templates, as gitrepository-layout(5) describes it."""
    for inner in ("objects", "refs/heads", "info"):
        (folder / inner).mkdir(parents=True)
    (folder / "HEAD").write_text("ref: refs/heads/main\n", "utf-8")
    lines: list[str] = []
    for section in _SETTINGS.keys() | (settings or {}).keys():
        values = {**_SETTINGS.get(section, {}), **(settings or {}).get(section, {})}
        lines += [f"[{section}]", *(f"\t{key} = {value}" for key, value in values.items())]
    (folder / "config").write_text("\n".join(lines) + "\n", "utf-8")


def run(
    folder: Path,
    *args: str,
    work: Path | None = None,
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
    timeout_s: float = 120,
) -> bytes:
    """Run git on the repository in `folder`, which is its `.git`, with the files in `work`; returns its output.

    Raises SkillcheckError with git's own first complaint.
    """
    own = {
        "GIT_DIR": str(folder), "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "GIT_AUTHOR_DATE": DATE, "GIT_COMMITTER_DATE": DATE,
        "HOME": os.devnull, "XDG_CONFIG_HOME": os.devnull, "LC_ALL": "C", **(env or {}),
    }  # fmt: skip
    if work:
        own["GIT_WORK_TREE"] = str(work)
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = process.run(
            ["git", *args], cwd=work or folder, stdin=stdin, timeout_s=timeout_s, env={**inherited, **own}
        )
    except FileNotFoundError as error:
        message = "git can't be started; install it, since workspaces are git repositories"
        raise SkillcheckError(message) from error
    if done.status:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines() or [f"status {done.status}"]
        message = f"git {args[0]}: {said[0]}"
        raise SkillcheckError(message)
    return done.stdout
