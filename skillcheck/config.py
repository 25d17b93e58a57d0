"""Configuration: `[tool.skillcheck]` of pyproject.toml, or .skillcheck.toml with the same keys at its top."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from skillcheck.diagnostic import Severity
from skillcheck.errors import UsageError
from skillcheck.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

# ruff: noqa: PTH110, PTH112, PTH113 - Path's methods raise where a folder on the way can't be entered
FILE = ".skillcheck.toml"
PYPROJECT = "pyproject.toml"
PRESETS: Mapping[str, Mapping[str, Any]] = {
    "agent-skills": {
        "rules": {
            "required-section": {
                "sections": [
                    "## Overview",
                    "## When to Use",
                    "## Common Rationalizations",
                    "## Red Flags",
                    "## Verification",
                ],
                "exempt": ["idea-refine", "using-agent-skills"],
            }
        }
    },
}
"""Settings by name that a catalog's own settings are laid over."""


@dataclass(frozen=True, slots=True)
class Config:
    """What a catalog decides. Paths are relative to `root`, the folder of the file, or else the catalog's root."""

    root: Path
    source: Path | None = None
    paths: tuple[str, ...] = ("skills",)
    exclude: tuple[str, ...] = ()
    cases: str = "evals/cases"
    ratchet: str = "evals/ratchet.json"
    top_k: int = 3
    fail_on: Severity = Severity.ERROR
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    accepted_collisions: tuple[frozenset[str], ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rules: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def severity(self, rule: str, default: Severity) -> Severity:
        """The severity that counts for a rule; one that is off by default is information where it is selected."""
        name = self.rules.get(rule, {}).get("severity")
        if name is None and default == Severity.OFF and rule in self.select:
            return Severity.INFO
        return Severity[name.upper()] if name else default

    def accepts(self, one: str, other: str) -> bool:
        """Whether the catalog lives with two skills that are alike."""
        return frozenset({one, other}) in self.accepted_collisions

    def option(self, rule: str, name: str, default: Any) -> Any:
        """A rule's option, its default where nothing is set."""
        return self.rules.get(rule, {}).get(name, default)


def locate(start: Path) -> tuple[Path, Path | None]:
    """The root of the catalog that `start`, an absolute folder, belongs to, and its configuration file.

    The configuration is that of the nearest folder upward, no higher than the repository. The root is its folder;
    without one, the nearest folder with skills/, evals/cases/ or .git in it; without any, `start`.
    """
    root = None
    for folder in (start, *start.parents):
        source = _source(folder)
        if source:
            return folder, source
        if root is None and (os.path.isdir(folder / "skills") or os.path.isdir(folder / "evals" / "cases")):
            root = folder
        if os.path.exists(folder / ".git"):
            return root or folder, None
    return root or start, None


def repository(start: Path) -> Path | None:
    """The nearest folder upward that holds .git; None outside any repository."""
    return next((folder for folder in (start, *start.parents) if os.path.exists(folder / ".git")), None)


def _source(folder: Path) -> Path | None:
    if os.path.isfile(folder / FILE):
        return folder / FILE
    pyproject = folder / PYPROJECT
    try:
        mentioned = os.path.isfile(pyproject) and b"skillcheck" in pyproject.read_bytes()
    except OSError:
        return None
    return pyproject if mentioned and _table(pyproject) is not None else None


def _table(source: Path) -> dict[str, Any] | None:
    """The settings in a file; None for a pyproject.toml without any."""
    import tomllib  # noqa: PLC0415 - most runs of a hook meet no file of settings

    try:
        data = tomllib.loads(source.read_bytes().decode("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        message = f"{source.name}: can't be read: {error.strerror if isinstance(error, OSError) else error}"
        raise UsageError(message) from error
    except RecursionError:
        message = f"{source.name}: can't be read: values are nested too deep"
        raise UsageError(message) from None
    if source.name == FILE:
        return data
    tools = data.get("tool")
    table = tools.get("skillcheck") if isinstance(tools, dict) else None
    return table if isinstance(table, dict) else None


def load(start: Path, overrides: Iterable[str] = ()) -> Config:
    """The configuration for an absolute folder; `overrides` are `dotted.key=TOML value` from the command line.

    Raises UsageError for a file that can't be read, an unknown key, or a value of the wrong type.
    """
    root, source = locate(start)
    settings = _checked(_table(source) or {}, source.name) if source else {}
    for override in overrides:
        settings = _merged(settings, _checked(_override(override), "--set"))
    if not settings:
        return Config(root, source)
    settings = _merged(PRESETS.get(settings.get("preset", ""), {}), settings)
    return _build(root, source, settings)


def _override(text: str) -> dict[str, Any]:
    import tomllib  # noqa: PLC0415 - see _table

    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        message = f"--set takes KEY=VALUE, not {text!r}"
        raise UsageError(message)
    for form in (f"{key}={value}", f'{key}="{value}"'):
        try:
            return tomllib.loads(form)
        except (tomllib.TOMLDecodeError, RecursionError):
            continue
    message = f"--set {text!r} is not TOML"
    raise UsageError(message)


def _merged(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Tables are merged key by key; everything else is replaced."""
    both = {k: _merged(under[k], v) for k, v in over.items() if isinstance(v, dict) and isinstance(under.get(k), dict)}
    return {**under, **over, **both}


def _checked(settings: dict[str, Any], where: str) -> dict[str, Any]:
    """Valid settings, each rule's as a table; `where` tells users what to change."""
    if not settings:
        return settings
    _validate(settings, where)
    preset = settings.get("preset")
    if preset is not None and preset not in PRESETS:
        raise UsageError(_unknown(f"{where}: unknown preset", preset, PRESETS))
    given = settings.get("rules", {}).items()
    rules = {name: {"severity": value} if isinstance(value, str) else value for name, value in given}
    return {**settings, "rules": rules} if rules else settings


def _validate(settings: Mapping[str, Any], where: str) -> None:
    import json  # noqa: PLC0415 - only where there is something to validate

    from skillcheck import schemas  # noqa: PLC0415 - see above

    for path, key, known in schemas.unknown_keys("config", settings):
        raise UsageError(_unknown(f"{where}: unknown key", ".".join((*map(str, path), key)), known, key))
    for path, message in schemas.problems("config", json.loads(json.dumps(settings, default=str))):
        text = f"{where}: {'.'.join(map(str, path)) or 'settings'}: {message}"
        raise UsageError(text)


def _unknown(what: str, shown: str, known: Iterable[str], key: str | None = None) -> str:
    return f"{what} {shown!r}{did_you_mean(shown if key is None else key, known)}"


def _build(root: Path, source: Path | None, settings: Mapping[str, Any]) -> Config:
    plain = {key.replace("-", "_"): value for key, value in settings.items() if key != "preset"}
    for key in ("paths", "exclude", "select", "ignore"):
        if key in plain:
            plain[key] = tuple(plain[key])
    plain["ignore"] = (*plain.get("ignore", ()), *plain.pop("extend_ignore", ()))
    if "fail_on" in plain:
        plain["fail_on"] = Severity[plain["fail_on"].upper()]
    if "per_file_ignores" in plain:
        plain["per_file_ignores"] = {pattern: tuple(names) for pattern, names in plain["per_file_ignores"].items()}
    if "accepted_collisions" in plain:
        plain["accepted_collisions"] = tuple(frozenset(pair["skills"]) for pair in plain["accepted_collisions"])
    return replace(Config(root, source), **plain)


_WILDCARD = re.compile(r"\*\*/|\*\*|\*|\?|[^*?]+")
_REPEATED = re.compile(r"(?:\*\*/){2,}")
_MEANING = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def matches(pattern: str, path: str) -> bool:
    """Whether a posix path, or a folder above it, fits a glob: `*` stays in one folder, `**` crosses them."""
    plain = _REPEATED.sub("**/", pattern.strip("/"))
    parts = (_MEANING.get(token) or re.escape(token) for token in _WILDCARD.findall(plain))
    return re.fullmatch("".join(parts) + "(?:/.*)?", path) is not None
