"""The program on one page: configure, load, lint, fix."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from skillcheck import config as settings
from skillcheck.catalog import load as reader
from skillcheck.report import Report
from skillcheck.rules import active, rules, run
from skillcheck.suppress import suppress

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from skillcheck.catalog.catalog import Catalog
    from skillcheck.config import Config
    from skillcheck.mend import Change

LATER = frozenset({"cases", "routing"})
"""The families of rules that need case files."""


def configure(paths: Sequence[Path] = (), base: Path | None = None, overrides: Iterable[str] = ()) -> Config:
    """The settings that count for `paths`, relative to `base`, which is the working directory if not given."""
    base = base or Path.cwd()
    start = _absolute(base / paths[0]) if paths else base
    return settings.load(start if start.is_dir() else start.parent, overrides)


def load(
    paths: Sequence[Path] = (), config: Config | None = None, base: Path | None = None, *, with_cases: bool = False
) -> Catalog:
    """Read the catalog that `paths` belong to; without any, the one that settings name.

    Raises UsageError for a path that isn't there, and when no skill is found.
    """
    base = base or Path.cwd()
    config = config or configure(paths, base)
    return reader.load([_absolute(base / path) for path in paths], config, base, with_cases=with_cases)


def lint(catalog: Catalog) -> Report:
    """Tier 1: whether every SKILL.md is right."""
    ran = active(catalog.config, {rule.family for rule in rules().values()} - LATER)
    found = suppress(run(ran, catalog), catalog, ran)
    return Report.of(found, metrics={"skills": len(catalog.selected)})


def fix(catalog: Catalog, *, write: bool = True) -> tuple[Report, tuple[Change, ...]]:
    """Lint, and mend what has a safe fix. Returns the report on what is left, and the changes."""
    from skillcheck.mend import mend  # noqa: PLC0415 - a plain lint mends nothing

    report, changes = mend(catalog, lint)
    if write:
        for change in changes:
            _write(change.skill.path, change.after)
    return report, changes


def _write(path: Path, text: str) -> None:
    """Replace a file's text at one stroke; its mode stays, and a link stays a link."""
    import tempfile  # noqa: PLC0415 - see above

    target = path.resolve()
    with tempfile.NamedTemporaryFile("wb", dir=target.parent, prefix=f".{target.name}.", delete=False) as new:
        new.write(text.encode())
    os.chmod(new.name, target.stat().st_mode)  # noqa: PTH101 - a Path would be made for it alone
    Path(new.name).replace(target)


def _absolute(path: Path) -> Path:
    """Absolute and without dots, links left as they are."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - Path.resolve would follow links
