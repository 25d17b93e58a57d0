"""`skillcheck merge`: the shards of a run as one run."""

from __future__ import annotations

from typing import Any

import click

from skillcheck import api, stored
from skillcheck.cli import emit, format_option, overrides_of, set_option


@click.command("merge")
@click.argument("runs", nargs=-1, required=True)
@format_option
@set_option
@click.pass_context
def merge(context: click.Context, /, runs: tuple[str, ...], outputs: tuple[str, ...], **options: Any) -> None:
    """Put RUNS, all the shards of one run of evals or tasks, together into a new run, and show its trials.

    A run is a name, its beginning, `latest`, or a path with a slash, such as that of a downloaded artifact, or of a
    folder with several runs. Exit status: as of the whole run, 3 where trials are errors or were not run, 1 where some
    failed; 2 where runs don't belong together, and then nothing is written.
    """
    config = api.configure(overrides=overrides_of({**options, "fail_on": None}))
    merged = stored.merge(config, runs)
    for warning in merged.warnings:
        click.echo(f"warning: {warning}", err=True)
    emit(merged.report, outputs)
    context.exit(merged.status)


COMMAND = merge
