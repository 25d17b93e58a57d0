"""`skillcheck lint`: tier 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from skillcheck import api
from skillcheck.cli import emit, overrides_of, say, shared_options

if TYPE_CHECKING:
    from pathlib import Path

    from skillcheck.catalog.catalog import Catalog
    from skillcheck.report import Report


@click.command("lint")
@shared_options
@click.option("--fix", is_flag=True, help="Apply the safe fixes, then report what is left.")
@click.option("--diff", is_flag=True, help="Show what --fix would change, and change nothing; exit 1 if anything.")
@click.pass_context
def lint(
    context: click.Context,
    /,
    paths: tuple[Path, ...],
    outputs: tuple[str, ...],
    *,
    fix: bool,
    diff: bool,
    **options: Any,
) -> None:
    """Check SKILL.md files: frontmatter, names, sections, links.

    PATHS are folders, skill folders or SKILL.md files; without any, the folders that the settings name (skills/).
    """
    config = api.configure(paths, overrides=overrides_of(options))
    catalog = api.load(paths, config)
    if diff:
        report, changes = api.fix(catalog, write=False)
        say("".join(change.diff() for change in changes))
        if not changes:
            click.echo("nothing that --fix would change", err=True)
        context.exit(1 if changes else report.exit_status(config.fail_on))
    report = _fixed(catalog) if fix else api.lint(catalog)
    emit(report, outputs)
    context.exit(report.exit_status(config.fail_on))


def _fixed(catalog: Catalog) -> Report:
    report, changes = api.fix(catalog)
    for change in changes:
        click.echo(f"fixed {change.skill.shown}", err=True)
    return report


COMMAND = lint
