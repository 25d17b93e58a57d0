"""The file of the frozen rank-1 floor: read, read at a git revision, written."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from skillcheck.config import repository
from skillcheck.errors import SkillcheckError, UsageError
from skillcheck.located import ParseError
from skillcheck.located import json as located_json
from skillcheck.router import ratchet
from skillcheck.span import Lines

if TYPE_CHECKING:
    from pathlib import Path

    from skillcheck.config import Config
    from skillcheck.router.ratchet import Floor


def read(config: Config) -> Floor | None:
    """The floor; None without a file. Raises UsageError for a file that can't be read."""
    path = config.root / config.ratchet
    try:
        if path.exists() and not path.is_file() and not path.is_dir():  # a pipe would keep us waiting
            message = f"{config.ratchet}: not a regular file"
            raise UsageError(message)
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        message = f"{config.ratchet}: can't be read: {reason}"
        raise UsageError(message) from error
    return _parsed(text, config.ratchet)


def read_at(config: Config, revision: str) -> Floor | None:
    """The floor as it was at a git revision; None where the file wasn't there.

    Raises UsageError where git doesn't know the revision, and SkillcheckError where there is no git.
    """
    commit = _git(config.root, "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}")
    if commit is None:
        outside = "" if repository(config.root) else ": this is no git repository"
        message = f"--against: git knows no revision {revision!r}{outside}"
        raise UsageError(message)
    place = f"{commit.strip()}:./{config.ratchet}"
    text = _git(config.root, "show", place)
    return None if text is None else _parsed(text, f"{config.ratchet} at {revision}")


def write(config: Config, floor: Floor) -> None:
    """Store a floor. Raises UsageError where the file can't be written."""
    from skillcheck.replace import replace  # noqa: PLC0415 - most runs only read

    text = json.dumps(ratchet.dump(floor), indent=2, ensure_ascii=False) + "\n"
    replace(config.root / config.ratchet, text, config.ratchet)


def _parsed(text: str, name: str) -> Floor:
    lines = Lines.of(text)
    try:
        return ratchet.parse(located_json.parse(lines).value)
    except ParseError as error:
        line, column = lines.position(error.offset)
        message = f"{name}:{line}:{column}: not JSON: {error.message}"
        raise UsageError(message) from error
    except UsageError as error:
        message = f"{name}: {error}"
        raise UsageError(message) from error


def _git(root: Path, *words: str) -> str | None:
    """What git prints; None where it refuses."""
    from skillcheck import process  # noqa: PLC0415 - only --against asks git

    try:
        done = process.run(("git", *words), cwd=root)
    except FileNotFoundError:
        message = "git is not installed"
        raise SkillcheckError(message) from None
    return done.stdout.decode("utf-8", "replace") if done.status == 0 else None
