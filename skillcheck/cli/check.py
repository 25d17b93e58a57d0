"""`skillcheck check`: everything that needs no agent, in one report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from skillcheck import api
from skillcheck.cli import against_option, emit, min_rank1_option, overrides_of, shared_options

if TYPE_CHECKING:
    from pathlib import Path


@click.command("check")
@shared_options
@min_rank1_option
@against_option
@click.pass_context
def check(
    context: click.Context,
    /,
    paths: tuple[Path, ...],
    outputs: tuple[str, ...],
    *,
    min_rank1: float | None,
    against: str | None,
    **options: Any,
) -> None:
    """Lint, validate the case files and route, in one report: what CI calls."""
    config = api.configure(paths, overrides=overrides_of(options))
    report = api.check(api.load(paths, config), least=min_rank1, against=against)
    emit(report, outputs)
    context.exit(report.exit_status(config.fail_on))


COMMAND = check
