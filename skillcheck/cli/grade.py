"""`skillcheck grade`: stored trials once more, without an agent."""

from __future__ import annotations

from typing import Any

import click

from skillcheck import api
from skillcheck.cli import conclude, fail_on_option, format_option, overrides_of, set_option
from skillcheck.console.agents import grader_options, settings_of
from skillcheck.console.progress import told


@click.command("grade")
@click.argument("run", default="latest")
@format_option
@fail_on_option
@set_option
@grader_options
@click.pass_context
def grade(context: click.Context, /, run: str, outputs: tuple[str, ...], **options: Any) -> None:
    """Grade the trials of RUN, the latest if not given, again by today's cases.

    The workspace is made anew from the fixture and what the agent changed; no agent is run. The new grades take the
    place of the stored ones.
    """
    config = api.configure(overrides=overrides_of(options))
    catalog = api.choose((), config)
    with told() as (tell, stop):
        results = api.grade(catalog, run, settings_of(options), tell, stop)
    context.exit(conclude((results,), outputs, interrupted=stop.is_set()))


COMMAND = grade
