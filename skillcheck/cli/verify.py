"""`skillcheck verify`: whether a stored run is what it was."""

from __future__ import annotations

from typing import Any

import click

from skillcheck import api, stored
from skillcheck.cli import emit, fail_on_option, format_option, overrides_of, set_option


@click.command("verify")
@click.argument("run", default="latest")
@format_option
@fail_on_option
@set_option
@click.pass_context
def verify(context: click.Context, /, run: str, outputs: tuple[str, ...], **options: Any) -> None:
    """Compute every digest of RUN, the latest if not given, anew: a name, its beginning, or a path with a slash.

    Tells what was changed, is missing or was added since the run ended, which numbers contradict each other, and
    whether skills, cases and fixtures are still those that were tested. The digest of the whole run is printed.
    """
    config = api.configure(overrides=overrides_of(options))
    report = stored.verify(config, run)
    emit(report, outputs)
    context.exit(report.exit_status(config.fail_on))


COMMAND = verify
