"""`skillcheck fitness`: one number for a skill, with its evidence."""

from __future__ import annotations

import click

from skillcheck import api, stored
from skillcheck.cli import emit, fail_on_option, format_option, gated, overrides_of, percent, set_option
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
    help="Exit 1 if a skill's total, or the score named, is lower or unknown, 3 if not all can be read. Repeatable.",
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
    """Weigh stored trials into one fitness index a skill, from 0 to 100, with the evidence for each of its scores.

    RUN is a run's name, its beginning, a path to it, or `latest`, which is what counts without one; several are taken
    together. SKILL is a name or path; without one, all skills count that were tried, and those that can't be loaded.

    Completeness weighs 40, constraints 20, compatibility 15, stability 15, explanation 10; where half of the evals or
    more are tagged `math` 50, 20, 5, 15, 10, and `tool` 30, 20, 20, 20, 10. A score of which nothing was seen has no
    weight, and the others get its share. Robustness, of the edge cases, stands beside the total.
    """
    config = api.configure(overrides=overrides_of({"overrides": overrides, "fail_on": fail_on}))
    report = stored.fitness(names, config, least=least)
    emit(report, outputs)
    context.exit(gated(report, config.fail_on, asked=bool(least)))


COMMAND = fitness
