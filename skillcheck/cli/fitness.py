"""`skillcheck fitness`: one number for a skill, with its evidence."""

from __future__ import annotations

import click

from skillcheck import api, stored
from skillcheck.cli import emit, fail_on_option, format_option, overrides_of, percent, set_option
from skillcheck.suggest import unknown


def _least(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, float]:
    """What scores must reach, by name; a number alone is of the total."""
    least: dict[str, float] = {}
    for value in values:
        from skillcheck.studies.fitness import ROBUSTNESS, TOTAL, WEIGHTS  # noqa: PLC0415 - loads scipy

        name, _, number = value.rpartition("=")
        known = (TOTAL, *WEIGHTS, ROBUSTNESS)
        if name and name not in known:
            raise click.BadParameter(unknown("score", name, known))
        least[name or TOTAL] = percent(context, parameter, number) or 0.0
    return least


@click.command("fitness")
@click.argument("names", nargs=-1, metavar="[RUN|SKILL]...")
@click.option(
    "--fail-below",
    "least",
    multiple=True,
    metavar="[SCORE=]NUMBER",
    callback=_least,
    help="Exit 1 if a skill's total, or the score named, is lower or unknown. Repeatable.",
)
@format_option
@fail_on_option
@set_option
@click.pass_context
def fitness(
    context: click.Context,
    names: tuple[str, ...],
    least: dict[str, float],
    outputs: tuple[str, ...],
    overrides: tuple[str, ...],
    fail_on: str | None,
) -> None:
    r"""Weigh stored trials into one fitness index a skill, from 0 to 100, with the evidence for each of its scores.

    RUN is a run's name, its beginning, a path to it, or `latest`, which is what counts without one; several are taken
    together. SKILL is a name or path; without one, all skills count that were tried, and those that can't be loaded.

    \b
    Scores, with their weights (for tasks tagged math; tool):
      completeness   40 (50; 30)  acceptance items that hold, or else checks and expectations
      constraints    20           constraints that hold
      compatibility  15 (5; 20)   frameworks that could load the skill
      stability      15 (15; 20)  trials that passed, of evals tried more than once
      explanation    10           last messages: clear 100, vague 60, missing 0
      robustness     none         trials of edge cases that passed; admitted from 60
    A score that nothing was seen of has no weight, and the others get its share.
    """
    config = api.configure(overrides=overrides_of({"overrides": overrides, "fail_on": fail_on}))
    report = stored.fitness(names, config, least=least)
    emit(report, outputs)
    context.exit(report.exit_status(config.fail_on))


COMMAND = fitness
