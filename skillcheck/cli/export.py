"""`skillcheck export`: stored results in the format of another tool."""

from __future__ import annotations

from pathlib import Path

import click

from skillcheck import api, stored
from skillcheck.cli import emit, format_option, overrides_of, set_option


@click.command("export")
@click.argument("run")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--to", "form", required=True, metavar="NAME", help="The format: skill-creator.")
@format_option
@set_option
def export(run: str, folder: Path, form: str, outputs: tuple[str, ...], overrides: tuple[str, ...]) -> None:
    """Write the trials of RUN (a name, its beginning, or `latest`) into the empty folder DIR, for another tool.

    For skill-creator DIR/<skill>/ is a workspace that its aggregate script and its viewer read.
    """
    config = api.configure(overrides=overrides_of({"overrides": overrides, "fail_on": None}))
    emit(stored.hand_out(config, run, form, folder), outputs)


COMMAND = export
