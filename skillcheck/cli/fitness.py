"""`skillcheck fitness`: one number for a skill, with its evidence."""

from __future__ import annotations

import click

from skillcheck import api, stored
from skillcheck.cli import emit, format_option, overrides_of, percent, set_option
from skillcheck.report import CLEAN, FINDINGS


@click.command("fitness")
@click.argument("names", nargs=-1, metavar="[RUN|SKILL]...")
@click.option("--fail-under", metavar="TOTAL", callback=percent, help="Exit 1 if a skill has no total or a lower one.")
@format_option
@set_option
@click.pass_context
def fitness(
    context: click.Context,
    names: tuple[str, ...],
    fail_under: float | None,
    outputs: tuple[str, ...],
    overrides: tuple[str, ...],
) -> None:
    """Weigh stored trials into one fitness index a skill, from 0 to 100, with the evidence for each of its scores.

    RUN is a run's name, its beginning, or `latest`, which is what counts without one; several are taken together.
    SKILL is a name or path; without one, all skills count that were tried.
    """
    config = api.configure(overrides=overrides_of({"overrides": overrides, "fail_on": None}))
    report = stored.fitness(names, config)
    emit(report, outputs)
    totals = [index["total"] for index in report.records["fitness"]]
    low = fail_under is not None and (not totals or any(total is None or total < fail_under for total in totals))
    context.exit(FINDINGS if low else CLEAN)


COMMAND = fitness
