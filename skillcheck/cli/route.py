"""`skillcheck route`: tier 2."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from skillcheck import api
from skillcheck.cli import against_option, emit, min_rank1_option, overrides_of, shared_options

if TYPE_CHECKING:
    from pathlib import Path


@click.command("route")
@shared_options
@min_rank1_option
@against_option
@click.option("--raise-ratchet", is_flag=True, help="Raise the frozen floor to today's rates; it never falls.")
@click.pass_context
def route(
    context: click.Context,
    /,
    paths: tuple[Path, ...],
    outputs: tuple[str, ...],
    *,
    min_rank1: float | None,
    against: str | None,
    raise_ratchet: bool,
    **options: Any,
) -> None:
    """Check that trigger prompts reach their skills, lexically.

    Every positive prompt of evals/cases/<skill>.json must rank its skill, negatives must not. The scores compare words
    (stemmed TF-IDF over the descriptions): a lower bound of what a model does, without a key and the same every time.
    """
    config = api.configure(paths, overrides=overrides_of(options))
    catalog = api.load(paths, config)
    routing = api.routed(catalog, least=min_rank1, against=against)
    report = api.route(routing)
    emit(report, outputs)
    if raise_ratchet:
        raised = api.raise_ratchet(routing, report)
        click.echo(f"{config.ratchet}: {'raised' if raised else 'as high as it can be'}", err=True)
    context.exit(report.exit_status(config.fail_on))


COMMAND = route
