"""What stands in a workspace, before the agent and after it, and the difference as a patch.

Nothing here asks the workspace's own repository, which the agent may have rigged, nor follows a link.
"""

from __future__ import annotations

import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from skillcheck.evals.workspace import git
from skillcheck.evals.workspace.tree import KINDS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

MAX_FILE_BYTES = 10_000_000
MAX_NEW_BYTES = 20_000_000
MAX_NEW_FILES = 5_000
"""How much an agent's files may be for the patch: each, in all, and how many."""
MAX_SHOWN_BYTES = 256 << 10
MAX_SHOWN_FILE_BYTES = 32 << 10
"""How much of the patch a grader is shown: in all, and of each file."""

_FILE, _PROGRAM, _LINK = b"100644", b"100755", b"120000"  # modes as git writes them
_HEADER = b"diff --git "
_ATTRIBUTES = "* -text !eol !ident !filter !working-tree-encoding !diff\n"  # bytes as they are, whatever the agent says


class Entry(NamedTuple):
    """One file or link. `note` tells why `data` is only a line about it, since it was too big or can't be read."""

    mode: bytes
    data: bytes
    note: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """All files by their path, bytes as the file system has them; `notes` tell what was not looked at."""

    entries: Mapping[bytes, Entry]
    notes: tuple[str, ...] = ()

    def changed(self, later: State) -> dict[bytes, str]:
        """What differs in a later state, by git's letter: A, M or D."""
        letters = {path: "M" if path in self.entries else "A" for path in later.entries}
        letters |= dict.fromkeys(self.entries.keys() - later.entries.keys(), "D")
        same = {path for path, entry in later.entries.items() if self.entries.get(path) == entry}
        return {path: letters[path] for path in sorted(letters.keys() - same)}


def read(work: Path, skip: Collection[Path] = (), before: State | None = None) -> State:
    """What stands in `work` but in the folders `skip` and in repositories' `.git`.

    With `before` the limits count, for what is new or differs from it. Never raises for what it finds.
    """
    found: dict[bytes, Entry] = {}
    notes: list[str] = []
    if before and not _is_folder(work):
        notes.append("the workspace is gone" if not os.path.lexists(work) else "the workspace is no folder any more")
        return State(found, tuple(notes))
    room, places = MAX_NEW_BYTES, MAX_NEW_FILES
    root = os.fsencode(work)
    left_out = 0
    for path in _paths(root, {os.fsencode(path) for path in skip}):
        name = os.path.relpath(path, root)
        old = before.entries.get(name) if before else None
        if before and not old:
            places -= 1
            if places < 0:
                left_out += 1
                continue
        known = len(old.data) if old else 0
        entry = _entry(path, room + known if before else None)
        if not entry.note:
            room -= max(0, len(entry.data) - known)
        found[name] = entry
    if left_out:
        notes.append(f"{left_out} files more than {MAX_NEW_FILES} new ones were left out")
    notes += [f"{os.fsdecode(name)!r} is not in the patch: {entry.note}" for name, entry in found.items() if entry.note]
    return State(found, tuple(notes[:100]))


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _paths(root: bytes, skip: Collection[bytes]) -> Iterator[bytes]:
    """All files and links, sorted, and folders that can't be listed."""
    todo = [root]
    while todo:
        here = todo.pop()
        try:
            with os.scandir(here) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError:
            yield here
            continue
        inner = []
        for entry in entries:
            if entry.path in skip or entry.name.lower() == b".git":
                continue
            if entry.is_dir(follow_symlinks=False):
                inner.append(entry.path)
            else:
                yield entry.path
        todo += reversed(inner)


def _entry(path: bytes, room: int | None) -> Entry:
    try:
        about = os.lstat(path)
        kind = KINDS.get(stat.S_IFMT(about.st_mode))
        if stat.S_ISLNK(about.st_mode):
            return Entry(_LINK, os.readlink(path))  # noqa: PTH115 - bytes stay bytes
        if kind or stat.S_ISDIR(about.st_mode):
            return _noted(f"it is {kind or 'a folder that can not be listed'}")
        mode = _PROGRAM if about.st_mode & 0o111 else _FILE
        if about.st_size > MAX_FILE_BYTES:
            return _noted(f"it has {about.st_size} bytes, sha256 {_sha256(path)}", mode)
        if room is not None and about.st_size > room:
            return _noted(f"the files before it fill {MAX_NEW_BYTES} bytes", mode)
        return Entry(mode, Path(os.fsdecode(path)).read_bytes())
    except OSError as error:
        return _noted(f"it can't be read: {error.strerror}")


def _noted(note: str, mode: bytes = _FILE) -> Entry:
    return Entry(mode, f"left out: {note}\n".encode(), note)


def _sha256(path: bytes) -> str:
    with Path(os.fsdecode(path)).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def patch(before: State, after: State, scratch: Path) -> bytes:
    """The difference as git writes it, binary files included; empty where there is none.

    Made in a repository of its own, in the empty folder `scratch`, that holds only what changed. Raises SkillcheckError
    where git fails.
    """
    changed = before.changed(after)
    if not changed:
        return b""
    stream = [*_commit(b"before", before, changed), *_commit(b"after", after, changed)]
    _plain(scratch)
    git.run(scratch, "fast-import", "--quiet", stdin=b"".join(stream))
    options = ("--binary", "--full-index", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color")
    return git.run(scratch, "diff-tree", "-r", "-p", *options, "before", "after")


def _commit(name: bytes, state: State, paths: Mapping[bytes, str]) -> Iterator[bytes]:
    yield b"commit refs/heads/%b\ncommitter x <x> 0 +0000\ndata 0\n" % name
    for path in paths:
        entry = state.entries.get(path)
        if entry:
            quoted = path.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
            yield b'M %b inline "%b"\ndata %d\n%b\n' % (entry.mode, quoted, len(entry.data), entry.data)


def _plain(folder: Path) -> None:
    """Make a repository that takes bytes and names as they are."""
    git.init(folder, {"core": {"protectNTFS": "false", "protectHFS": "false", "compression": "1"}})
    (folder / "info" / "attributes").write_text(_ATTRIBUTES, "utf-8")


def apply(patch: bytes, work: Path, scratch: Path) -> None:
    """Make a workspace's start into what stood there after the agent; `scratch` is an empty folder.

    Raises SkillcheckError where the patch doesn't fit.
    """
    for path, entry in read(work).entries.items():
        if entry.note and path in patch:  # the patch was made from the note
            (work / os.fsdecode(path)).write_bytes(entry.data)
    if patch:
        _plain(scratch)
        git.run(scratch, "apply", "--whitespace=nowarn", "-", work=work, stdin=patch)


def shown(patch: bytes) -> str:
    """A patch as graders read it: binary files named only, long ones cut, each with a note."""
    kept: list[str] = []
    room = MAX_SHOWN_BYTES
    files = (b"\n" + patch).split(b"\n" + _HEADER)[1:]
    for done, file in enumerate(files):
        text = _shown_file(_HEADER + file)
        room -= len(text.encode())
        if room < 0:
            kept.append(f"[{len(files) - done} more files were left out]")
            break
        kept.append(text)
    return "\n".join(kept)


def _shown_file(part: bytes) -> str:
    head, binary, _ = part.partition(b"\nGIT binary patch\n")
    cut = head[:MAX_SHOWN_FILE_BYTES]
    text = cut.decode("utf-8", "replace")
    if binary:
        return f"{text}\n[a binary file]"
    return text if cut == head else f"{text}\n[{len(head) - len(cut)} more bytes of this file were left out]"
