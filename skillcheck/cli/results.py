"""`skillcheck results`: what is stored."""

from __future__ import annotations

import click

from skillcheck import api
from skillcheck.cli import emit, format_option, overrides_of, set_option


@click.command("results")
@click.argument("run", required=False)
@format_option
@set_option
def results(run: str | None, outputs: tuple[str, ...], overrides: tuple[str, ...]) -> None:
    """List the stored runs, newest first, or show the trials of RUN: a name, its beginning, or `latest`."""
    config = api.configure(overrides=overrides_of({"overrides": overrides, "fail_on": None}))
    emit(api.stored(config, run), outputs)


COMMAND = results
