"""`skillcheck behavioral`: tier 3."""

from __future__ import annotations

from typing import Any

import click

from skillcheck import api
from skillcheck.cli import conclude, emit, fail_on_option, format_option, overrides_of, set_option
from skillcheck.console.agents import agent_options, settings_by_harness
from skillcheck.console.progress import told
from skillcheck.errors import UsageError


@click.command("behavioral")
@click.argument("skills", nargs=-1)
@format_option
@fail_on_option
@set_option
@agent_options
@click.option("--dry-run", is_flag=True, help="Say what would be run, and spend nothing.")
@click.pass_context
def behavioral(
    context: click.Context, /, skills: tuple[str, ...], outputs: tuple[str, ...], *, dry_run: bool, **options: Any
) -> None:
    """Run the behavioral evals of SKILLS, names or paths, or of all, with a real agent.

    Each trial has a throwaway git workspace and a HOME of its own; what the agent did is graded against the eval's
    `expectations` and `checks`, and kept in evals/results/.
    """
    config = api.configure(overrides=overrides_of(options))
    catalog = api.choose(skills, config)
    plans = [api.plan(catalog, settings) for settings in settings_by_harness(options)]
    if dry_run:
        from skillcheck import behavior  # noqa: PLC0415 - the list of commands loads this file

        emit(behavior.planned(plans), outputs)
        context.exit(UsageError.exit_status if plans[0].broken else 0)
    with told() as (tell, stop):
        results = api.evaluate_all(plans, tell, stop)
    context.exit(conclude(results, outputs, interrupted=stop.is_set()))


COMMAND = behavioral
