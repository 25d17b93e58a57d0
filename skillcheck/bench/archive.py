"""Data sets that come as a zip: fetched, and unpacked so that nothing in it leads anywhere else."""

from __future__ import annotations

import shutil
import stat
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING
from zipfile import BadZipFile, ZipFile, ZipInfo

from skillcheck.catalog.files import outside
from skillcheck.diagnostic import clipped
from skillcheck.errors import SkillcheckError, UsageError
from skillcheck.evals.workspace import tree

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAX_ZIP_BYTES = 2 << 30
MAX_BYTES = 8 << 30
MAX_FILES = 100_000
MAX_RATIO = 200
"""Of the bytes of a file to those that it has in the zip: text comes to 30 at most, a bomb to 1000."""
SMALL_BYTES = 1 << 20
"""Files up to this size may be of any ratio, since they do no harm: a page of blanks is no bomb."""
TIMEOUT_S = 60
"""How long a server may be silent."""
_SCHEMES = ("file", "http", "https")
_SHOWN = 80
_CHUNK_BYTES = 1 << 20
_ENCRYPTED = 1


def fetch(url: str, target: Path) -> None:
    """Copy what a file:, http: or https: URL names into the file `target`.

    Raises UsageError for any other URL and for more than MAX_ZIP_BYTES, SkillcheckError where fetching fails.
    """
    from http.client import HTTPException  # noqa: PLC0415 - few runs fetch anything
    from urllib.request import urlopen  # noqa: PLC0415 - see above

    if url.partition(":")[0].lower() not in _SCHEMES:
        message = f"{clipped(url, _SHOWN)!r} can't be fetched: it must begin with file://, http:// or https://"
        raise UsageError(message)
    try:
        with urlopen(url, timeout=TIMEOUT_S) as source, target.open("wb") as file:  # noqa: S310 - checked above
            while chunk := source.read(_CHUNK_BYTES):
                file.write(chunk)
                if file.tell() > MAX_ZIP_BYTES:
                    message = f"{clipped(url, _SHOWN)!r} has more than {MAX_ZIP_BYTES:,} bytes"
                    raise UsageError(message)
    except (OSError, HTTPException, ValueError) as error:  # ValueError: no host, or an odd one
        message = f"{clipped(url, _SHOWN)!r} can't be fetched: {error}"
        raise SkillcheckError(message) from error


def unpack(archive: Path, target: Path) -> None:
    """Unpack a zip into the new folder `target`, whole or not at all. Files become 0755 or 0644, as in git.

    Raises UsageError for what isn't a zip, is encrypted or too big, and for an entry that is a link or leads outside;
    SkillcheckError where the disk fails.
    """
    with _told(archive.name), ZipFile(archive) as file:
        entries = file.infolist()
        fault = _too_big(entries) or next(filter(None, map(_fault, entries)), "")
        if fault:
            message = f"{archive.name} is not unpacked: {fault}"
            raise UsageError(message)
        target.mkdir()
        try:
            for entry in entries:
                _extract(file, entry, target)
        except BaseException:
            tree.remove(target)
            raise


@contextmanager
def _told(name: str) -> Iterator[None]:
    try:
        yield
    except (BadZipFile, EOFError, NotImplementedError, RuntimeError, zlib.error) as error:
        message = f"{name} can't be unpacked: {error}"
        raise UsageError(message) from error
    except FileExistsError as error:
        message = f"{name} can't be unpacked: {error.filename!r} stands twice in it"
        raise UsageError(message) from error
    except OSError as error:
        message = f"{name} can't be unpacked: {error.strerror or error}"
        raise SkillcheckError(message) from error


def _too_big(entries: list[ZipInfo]) -> str:
    if len(entries) > MAX_FILES:
        return f"it has {len(entries):,} entries, more than {MAX_FILES:,}"
    total = sum(entry.file_size for entry in entries)
    return f"it would become {total:,} bytes, more than {MAX_BYTES:,}" if total > MAX_BYTES else ""


def _fault(entry: ZipInfo) -> str:
    """Why an entry can't be unpacked."""
    name = entry.orig_filename
    shown = repr(clipped(name, _SHOWN))
    reason = outside(name) or ("it has a NUL" if "\0" in name else "")
    if reason:
        return f"entry {shown} leaves the folder: {reason}"
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in {0, stat.S_IFREG, stat.S_IFDIR}:
        return f"entry {shown} is {'a link' if kind == stat.S_IFLNK else 'no file'}"
    if entry.flag_bits & _ENCRYPTED:
        return f"entry {shown} is encrypted"
    ratio = entry.file_size / max(entry.compress_size, 1)
    is_bomb = entry.file_size > SMALL_BYTES and ratio > MAX_RATIO
    return f"entry {shown} grows {ratio:,.0f} times, more than {MAX_RATIO}" if is_bomb else ""


def _extract(file: ZipFile, entry: ZipInfo, target: Path) -> None:
    """Write one entry; ZipFile reads no more than the size that it declares."""
    path = target / entry.filename
    if entry.is_dir():
        path.mkdir(parents=True, exist_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with file.open(entry) as source, path.open("xb") as copy:
        shutil.copyfileobj(source, copy)
    path.chmod(0o755 if entry.external_attr >> 16 & 0o111 else 0o644)
