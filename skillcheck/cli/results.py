"""`skillcheck results`: what is stored, and what of it others may see."""

from __future__ import annotations

from pathlib import Path

import click

from skillcheck import api, stored
from skillcheck.cli import emit, format_option, overrides_of, set_option
from skillcheck.errors import UsageError


@click.command("results")
@click.argument("run", required=False)
@click.option(
    "--public",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write one row a trial that anybody may see, as JSON lines, or as CSV where FILE ends in .csv.",
)
@click.option(
    "--proof",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.zip",
    help="Write the private proof of these rows: all that is stored of RUN, and a manifest.",
)
@format_option
@set_option
def results(
    run: str | None, public: Path | None, proof: Path | None, outputs: tuple[str, ...], overrides: tuple[str, ...]
) -> None:
    """List the stored runs, newest first, or show the trials of RUN.

    RUN is a name, its beginning, `latest`, or a path with a slash.
    """
    config = api.configure(overrides=overrides_of({"overrides": overrides, "fail_on": None}))
    if public or proof:
        if run is None:
            message = "--public and --proof write what a run came to: name one, as in `skillcheck results latest`"
            raise UsageError(message)
        stored.publish(config, run, public, proof)
    emit(stored.report(config, run), outputs)


COMMAND = results
