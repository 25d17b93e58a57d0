"""What keeps an agent from the rest of the machine, and what is left of it from running on."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

from skillcheck import process
from skillcheck.errors import SkillcheckError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

MARK = "SKILLCHECK_RUN"
"""The variable that every process of a run has in its environment, so that `sweep` finds it."""

_HAS_PROC = Path("/proc/self/environ").exists()
_WHOLE = ("--ro-bind", "/", "/")
_OPTIONS = (
    "--dev", "/dev", "--proc", "/proc", "--unshare-pid", "--unshare-ipc", "--die-with-parent",
    "--cap-drop", "ALL",  # root with its capabilities would mount the host writable again
)  # fmt: skip
_SCRATCH = ("/tmp", "/var/tmp")  # noqa: S108 - they are emptied, not written
_SOCKETS = (
    "/run/user", "/run/dbus", "/run/docker.sock", "/run/podman", "/run/containerd", "/run/crio", "/run/libvirt",
    "/run/snapd.socket", "/run/systemd/private", "/run/lxd.socket",
)  # fmt: skip
_CREDENTIALS = (
    ".ssh", ".gnupg", ".password-store", ".netrc", ".git-credentials", ".config/git/credentials", ".config/gh",
    ".config/hub", ".config/glab-cli", ".aws", ".azure", ".config/gcloud", ".boto", ".s3cfg", ".oci",
    ".config/doctl", ".config/rclone", ".docker", ".config/containers", ".kube", ".config/helm", ".terraform.d",
    ".terraformrc", ".vault-token", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pypirc", ".config/pip",
    ".config/pypoetry", ".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".m2/settings.xml",
    ".gradle/gradle.properties", ".composer/auth.json", ".pgpass", ".my.cnf", ".cache/huggingface/token",
    ".huggingface", ".config/op", ".local/share/keyrings", ".mozilla", ".config/google-chrome",
    ".config/chromium", ".claude", ".claude.json", ".config/claude", ".codex", ".gemini", ".pi", ".qwen",
    ".config/opencode", ".local/share/opencode", ".config/github-copilot", ".cursor", ".config/anthropic",
    ".bash_history", ".zsh_history", ".zhistory", ".history", ".python_history", ".node_repl_history",
    ".psql_history", ".mysql_history", ".sqlite_history", ".local/share/fish", ".lesshst", ".viminfo",
)  # fmt: skip
"""Places below HOME that hold keys, or what somebody typed."""


class Sandbox(NamedTuple):
    """A way to start agents; `hidden` are folders and files that they must not read.

    `warning` is one sentence for the user on what an agent can do, empty where it is kept in.
    """

    kind: Literal["bwrap", "none"]
    hidden: tuple[Path, ...] = ()
    warning: str = ""

    @property
    def is_apart(self) -> bool:
        """Programs are this machine's."""
        return False

    def wrap(
        self,
        argv: Sequence[str],
        *,
        work: Path,
        writable: Sequence[Path],
        needed: Sequence[Path],
        places: Mapping[str, Path] = MappingProxyType({}),
    ) -> tuple[str, ...]:
        """The command line that starts `argv` in here, in the folder `work`; all paths are absolute.

        With bwrap the machine is read-only but for the `writable` paths, which exist. /tmp and the places of
        credentials look empty, but for what is `needed` to start the agent: those of their children stay in which
        something needed lies, since a program is seldom alone. Of the `hidden` only what is itself needed stays. All
        its processes die with bwrap. The network is open, since the model is behind it. `places` are folders, all
        writable, that stand elsewhere than they are, as they do in a container; only bwrap can do that.
        """
        if self.kind == "none":
            return tuple(argv)
        words = [_bwrap(), *(_apart() if places else _WHOLE), *_OPTIONS]
        for path, stays in sorted(_emptied(self.hidden, needed).items()):  # outer first: what stays of it may hide more
            words += _mask(path, stays)
        for path in _real(writable):  # last, since they lie in an emptied /tmp
            words += ("--bind", str(path), str(path))
        for place, path in sorted(places.items()):
            words += ("--bind", os.path.realpath(path), place)
        if places:
            words += ("--remount-ro", "/")  # only now, since places are made in it
        return (*words, "--chdir", os.path.realpath(work), "--", *argv)

    def hides(self, folder: Path, needed: Sequence[Path]) -> bool:
        """Whether a folder looks empty to an agent for which this is `needed`."""
        real = Path(os.path.realpath(folder))
        around = {real, *real.parents}
        emptied = _emptied(self.hidden, needed) if self.kind == "bwrap" else {}
        return any(path in around and around.isdisjoint(stays) for path, stays in emptied.items())


def choose(wanted: Literal["auto", "bwrap", "none"], hidden: Iterable[Path] = ()) -> Sandbox:
    """The sandbox that is wanted; `auto` is bubblewrap where it works, else none.

    Raises SkillcheckError where bubblewrap is wanted and doesn't work.
    """
    open_to_all = "agents run without a sandbox: they can read and write all that you can"
    fault = "" if wanted == "none" else _fault()
    if wanted == "none" or (fault and wanted == "auto"):
        return Sandbox("none", (), f"{open_to_all} ({fault})" if fault else open_to_all)
    if fault:
        message = f"--sandbox bwrap can't be used: {fault}"
        raise SkillcheckError(message)
    return Sandbox("bwrap", tuple(hidden))


def new_mark() -> str:
    """A mark for one run; it names this process, so that others can tell whether that still lives."""
    return f"{_namespace()}-{os.getpid()}-{_born(os.getpid())}-{secrets.token_hex(4)}"


def is_abandoned(mark: str) -> bool:
    """Whether the process that made this mark is gone; false where that can't be told, as from another container."""
    match mark.split("-"):
        case [namespace, pid, born, _] if namespace == _namespace() and pid.isascii() and pid.isdigit():
            return _born(int(pid)) != born
    return False


def sweep(mark: str) -> int:
    """Kill every process whose environment has this mark, until none is left; how many there were."""
    return _sweep(lambda found: found == mark)


def sweep_abandoned() -> None:
    """Kill what runs of skillcheck left behind that are gone themselves."""
    _sweep(is_abandoned)


def _sweep(is_doomed: Callable[[str], bool]) -> int:
    killed: set[int] = set()
    for _ in range(200):  # a second at least: what forks faster than it can be killed is given up
        doomed = {pid for pid, mark in _marked() if pid != os.getpid() and is_doomed(mark)}
        if not doomed:
            break
        for pid in doomed:
            with suppress(OSError):  # it ended by itself, or is another user's
                os.kill(pid, signal.SIGKILL)
                killed.add(pid)
        time.sleep(0.005)
    return len(killed)


def _marked() -> Iterator[tuple[int, str]]:
    """Every process that has a mark, with it."""
    prefix = f"{MARK}=".encode()
    for pid, words in _environments():
        for word in words:
            if word.startswith(prefix):
                yield pid, word.removeprefix(prefix).decode("ascii", "replace")


def _environments() -> Iterator[tuple[int, list[bytes]]]:
    if not _HAS_PROC:
        listed = process.run(("ps", "axeww", "-o", "pid=", "-o", "command="), cwd=Path("/")).stdout
        for line in listed.splitlines():
            pid, *words = line.split()
            yield int(pid), words
        return
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            environment = Path("/proc", name, "environ").read_bytes()
        except OSError:  # it ended, or is another user's
            continue
        yield int(name), environment.split(b"\0")


def _namespace() -> str:
    """In which world of process ids we live: a container has one of its own."""
    return str(Path("/proc/self/ns/pid").stat().st_ino) if _HAS_PROC else "0"


def _born(pid: int) -> str:
    """When a process was started, in a form that serves to compare; empty where it isn't there, or dead."""
    if not _HAS_PROC:
        listed = process.run(("ps", "-o", "stat=", "-o", "lstart=", "-p", str(pid)), cwd=Path("/")).stdout.decode()
        state, _, born = listed.strip().partition(" ")
        return "" if state.startswith("Z") else "".join(filter(str.isalnum, born))
    try:
        stat = Path("/proc", str(pid), "stat").read_text("utf-8", "replace")
    except OSError:
        return ""
    state, *fields = stat.rpartition(")")[2].split()  # the name before it may hold anything
    return "" if state in "ZX" else fields[18]


@cache
def _bwrap() -> str:
    return shutil.which("bwrap") or ""


@cache
def _fault() -> str:
    """Why bubblewrap can't be used here, empty where it can: it is tried once."""
    if not _bwrap():
        return "bwrap is not on PATH: on Linux, install the package bubblewrap"
    done = process.run((_bwrap(), *_WHOLE, *_OPTIONS, "true"), cwd=Path("/"))
    if done.status == 0:
        return ""
    return f"bwrap does not start here: {done.stderr.decode('utf-8', 'replace').strip()}"


def _apart() -> Iterator[str]:
    """The machine, read-only, below a root of its own, in which places can be made that the machine doesn't have."""
    yield from ("--tmpfs", "/")
    for path in sorted(Path("/").iterdir()):
        if path.is_symlink():
            yield from ("--symlink", os.readlink(path), str(path))  # noqa: PTH115 - as written
        else:
            yield from ("--ro-bind-try", str(path), str(path))


def _emptied(hidden: Iterable[Path], needed: Sequence[Path]) -> dict[Path, set[Path]]:
    """What agents must not see, and the pieces of each that stay."""
    wanted = {Path(real) for path in needed for real in (path, os.path.realpath(path))}
    home = Path.home()
    private = (*map(Path, (*_SCRATCH, *_SOCKETS)), *(home / name for name in _CREDENTIALS))
    emptied = {}
    for folder in _real(private):
        inside = (path.relative_to(folder) for path in wanted if folder in path.parents)
        emptied[folder] = {folder / path.parts[0] for path in inside}
    for folder in _real(hidden):
        emptied[folder] = {path for path in wanted if folder in path.parents}
    return emptied


def _mask(path: Path, stays: Iterable[Path]) -> Iterator[str]:
    if not path.is_dir():
        yield from ("--ro-bind", os.devnull, str(path))
        return
    yield from ("--tmpfs", str(path))
    for piece in sorted(stays):
        yield from ("--ro-bind-try", str(piece), str(piece))


def _real(paths: Iterable[Path]) -> Iterator[Path]:
    """Those that are there, with links followed, since bwrap mounts over no link."""
    for path in paths:
        with suppress(OSError):
            yield Path(os.path.realpath(path, strict=True))
