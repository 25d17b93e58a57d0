"""`skillcheck history`: stored runs over time."""

from __future__ import annotations

from typing import Any

import click

from skillcheck import api, stored
from skillcheck.cli import emit, fail_on_option, format_option, gated, overrides_of, percent, set_option


@click.command("history")
@click.argument("skills", nargs=-1)
@format_option
@fail_on_option
@set_option
@click.option("--harness", default="", metavar="NAME", help="Look at the runs of this agent.")
@click.option("--model", default="", metavar="ID", help="Look at the runs of this model, asked for or answering.")
@click.option("--last", type=click.IntRange(min=1), metavar="N", help="Look at the newest N runs of each agent.")
@click.option(
    "--fail-below", "least", metavar="PERCENT", callback=percent, help="Exit 1 below this pass rate of a skill or eval."
)
@click.option("--alert", is_flag=True, help="Exit 1 where the newest run is worse than earlier ones make plausible.")
@click.pass_context
def history(context: click.Context, /, skills: tuple[str, ...], outputs: tuple[str, ...], **options: Any) -> None:
    """Show the stored runs of SKILLS, or of all, in the order of time, for each agent and the model it was asked for.

    --alert tests the newest run of each agent against its earlier ones: pass rates of skills, evals, expectations and
    checks, how often the skill was loaded, errors, and cost. With it, and with --fail-below, the exit status is 3
    where a newest run can't be read or isn't as it was left.
    """
    config = api.configure(overrides=overrides_of(options))
    report = stored.history(api.choose((), config), skills=skills, **options)
    emit(report, outputs)
    asked = options["alert"] or options["least"] is not None
    context.exit(gated(report, config.fail_on, asked=asked))


COMMAND = history
