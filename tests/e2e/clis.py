"""The real agents, from npm, in pinned versions: installed once into a folder outside the clone, and found there again.

npm picks by the engine that runs it, so where node is too old for them, a newer one is installed first and used.
"""

import fcntl
import os
import re
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

OLDEST_NODE = (22, 19)
NODE = "node@22.23.3"
RIPGREP = "@vscode/ripgrep@1.18.0"
PROGRAMS = "node_modules/.bin"
PACKAGES = {
    "claude": "@anthropic-ai/claude-code@2.1.332",
    "codex": "@openai/codex@0.171.0",
    "pi": "@earendil-works/pi-coding-agent@1.6.0",
    "gemini": "@google/gemini-cli@0.61.0",
    "opencode": "opencode-ai@1.18.33",
    "qwen": "@qwen-code/qwen-code@0.24.4",
}
"""By the program's name; the versions are those that the harnesses were read from."""


def search_path(program):
    """A PATH on which an agent's program is, with all that it needs; installs what is missing."""
    node = _node()
    folders = [_installed(PACKAGES[program], node) / PROGRAMS, *node]
    if program == "opencode":  # its skill tool looks for files with rg
        folders += [rg.parent for rg in _installed(RIPGREP, node).glob("node_modules/@vscode/ripgrep-*/bin/rg")]
    return _path(folders)


def _node():
    """The folder of a newer node, where one is needed."""
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    if tuple(map(int, re.findall(r"\d+", version)[:2])) >= OLDEST_NODE:
        return []
    return [_installed(NODE, []) / PROGRAMS]


def _path(folders):
    return os.pathsep.join([*map(str, folders), os.environ["PATH"]])


def _installed(package, node):
    """The folder that a package is installed in; it appears complete, or not at all."""
    folder = _cache() / package.replace("/", "+")
    with _locked(folder.parent / ".lock"):
        if not folder.is_dir():
            _install(package, folder, _path(node))
    return folder


def _install(package, folder, path):
    half_done = Path(tempfile.mkdtemp(prefix=".half-done-", dir=folder.parent))
    try:
        subprocess.run(
            ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", half_done, package],
            env={**os.environ, "PATH": path},
            check=True,
            timeout=600,
        )
        half_done.rename(folder)
    finally:
        shutil.rmtree(half_done, ignore_errors=True)


def _cache():
    cache = Path(os.environ.get("SKILLCHECK_TEST_CACHE") or Path.home() / ".cache/skillcheck-tests")
    cache.mkdir(parents=True, exist_ok=True)
    return cache


@contextmanager
def _locked(path):
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
