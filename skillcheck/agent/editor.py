"""The tool `edit`: look at text files and change them."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skillcheck.agent.tools import Parameter, Tool, ToolError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def editor(work: Path) -> Tool:
    """The tool for a working directory; it reaches what lies below that or below the home directory."""
    return Tool(
        "edit",
        "View or change a text file. `view` shows it with line numbers, or lists a directory; `create` writes the "
        "whole file from `text`, over what was there; `str_replace` puts `new` in the place of `old`, which must stand "
        "in the file exactly once; `insert` puts `text` behind line `line`, 0 being the top. "
        f"Relative paths start at {work}.",
        (
            Parameter("command", "string", "What to do", required=True, choices=tuple(_COMMANDS)),
            Parameter("path", "string", "The file", required=True),
            Parameter("text", "string", "create, insert: the text, with its line breaks"),
            Parameter("old", "string", "str_replace: the text to replace, to the last blank"),
            Parameter("new", "string", "str_replace: what takes its place; without it, nothing does"),
            Parameter("line", "integer", "insert: the line behind which the text goes"),
        ),
        partial(_edit, work),
    )


def _edit(work: Path, given: Mapping[str, Any]) -> str:
    """Do what is asked; raises ToolError where it can't be done."""
    path = _within(work, given["path"])
    try:
        return _COMMANDS[given["command"]](path, given)
    except OSError as error:
        message = f"{error.filename or path}: {error.strerror}"
        raise ToolError(message) from error
    except UnicodeEncodeError as error:
        message = f"{path}: the text holds half a surrogate pair, which UTF-8 can't express"
        raise ToolError(message) from error


def _within(work: Path, name: str) -> Path:
    """The real path; raises ToolError for one outside the working directory and the home directory."""
    try:
        path = (work / Path(name).expanduser()).resolve()
        allowed = (work.resolve(), Path.home().resolve())
    except (ValueError, RuntimeError, OSError) as error:  # a NUL, an unknown user, links that go round in circles
        message = f"{name!r} is no path: {error}"
        raise ToolError(message) from error
    if not any(path.is_relative_to(folder) for folder in allowed):
        message = f"{name!r} is outside {work} and the home directory; stay inside"
        raise ToolError(message)
    return path


def _view(path: Path, _given: Mapping[str, Any]) -> str:
    if path.is_dir():
        names = sorted(entry.name + "/" * entry.is_dir() for entry in path.iterdir())
        return "\n".join(names) or f"{path} is empty"
    return "".join(f"{number}\t{line}" for number, line in enumerate(_lines(_read(path)), 1)) or f"{path} is empty"


def _create(path: Path, given: Mapping[str, Any]) -> str:
    text = _needed(given, "text")
    _check(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    _write(path, text)
    return f"{path} was written"


def _replace(path: Path, given: Mapping[str, Any]) -> str:
    old, text = _needed(given, "old"), _read(path)
    found = text.count(old)
    if found != 1:
        hint = "give more of the lines around it" if found else "view the file for its exact text"
        message = f"'old' stands {found} times in {path}, not once; {hint}"
        raise ToolError(message)
    _write(path, text.replace(old, given.get("new", "")))
    return f"{path} was changed"


def _insert(path: Path, given: Mapping[str, Any]) -> str:
    text, line, lines = _needed(given, "text"), _needed(given, "line"), _lines(_read(path))
    if not 0 <= line <= len(lines):
        message = f"{path} has no line {line}; the last one is {len(lines)}"
        raise ToolError(message)
    above, below = "".join(lines[:line]), "".join(lines[line:])
    _write(path, _closed(above) + (_closed(text) if below else text) + below)
    return f"{path} was changed"


_COMMANDS: dict[str, Callable[[Path, Mapping[str, Any]], str]] = {
    "view": _view, "create": _create, "str_replace": _replace, "insert": _insert,
}  # fmt: skip


def _needed(given: Mapping[str, Any], name: str) -> Any:
    if name not in given:
        message = f"{given['command']} needs {name!r}"
        raise ToolError(message)
    return given[name]


def _lines(text: str) -> list[str]:
    """The lines with their breaks, counted as `sed` and `grep -n` count them."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _closed(text: str) -> str:
    """The text with a line break at its end, unless it is empty."""
    return text if not text or text.endswith("\n") else f"{text}\n"


def _check(path: Path) -> None:
    """Raise ToolError for what is there and no file; to read a pipe or a device may never end."""
    if path.exists() and not path.is_file():
        message = f"{path} is {'a directory' if path.is_dir() else 'no regular file'}"
        raise ToolError(message)


def _read(path: Path) -> str:
    _check(path)
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        message = f"{path} is not UTF-8 text; use bash for it"
        raise ToolError(message)
    return text


def _write(path: Path, text: str) -> None:
    """Write the bytes as they are, so that line breaks stay what they were."""
    path.write_bytes(text.encode("utf-8"))
