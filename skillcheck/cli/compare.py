"""`skillcheck compare`: stored runs held against each other."""

from __future__ import annotations

import click

from skillcheck import api, stored
from skillcheck.cli import emit, fail_on_option, format_option, overrides_of, set_option


@click.command("compare")
@click.argument("runs", nargs=-1, required=True)
@format_option
@fail_on_option
@set_option
@click.option("--anyway", is_flag=True, help="Compare runs too that differ in what they did.")
@click.pass_context
def compare(
    context: click.Context,
    /,
    runs: tuple[str, ...],
    outputs: tuple[str, ...],
    *,
    fail_on: str | None,
    overrides: tuple[str, ...],
    anyway: bool,
) -> None:
    """Compare the results of stored RUNS with those of the first: agents, models, or versions of a skill.

    Told are what differed between the runs, which evals and expectations differ beyond noise, what each took, and which
    part of the skill didn't reach the agent. A run is a name, its beginning, or `latest`.
    """
    config = api.configure(overrides=overrides_of({"overrides": overrides, "fail_on": fail_on}))
    report = stored.compare(api.choose((), config), runs, anyway=anyway)
    emit(report, outputs)
    context.exit(report.exit_status(config.fail_on))


COMMAND = compare
