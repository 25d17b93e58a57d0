"""`skillcheck ledger`: what was tried on skills, and what came of it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import click

from skillcheck import api, stored
from skillcheck.cli import overrides_of, percent, set_option


def _percents(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[float | None, ...]:
    return tuple(percent(context, parameter, value) for value in values)


@click.group("ledger")
def ledger() -> None:
    """Keep evals/skill-impact.md, the record of what was tried on skills."""


@ledger.command("add")
@set_option
@click.option(
    "--skill", "skills", multiple=True, required=True, metavar="NAME", help="A skill it is about. Repeatable."
)
@click.option("--tried", required=True, metavar="TEXT", help="What was changed, and why.")
@click.option("--conclusion", required=True, metavar="TEXT", help="What follows: kept, taken back, to be tried again.")
@click.option("--before", metavar="RUN", help="The stored run before the change.")
@click.option("--after", metavar="RUN", help="The stored run after it.")
@click.option(
    "--rank1-before", multiple=True, metavar="PERCENT", callback=_percents, help="Its rank-1 rate before, one a skill."
)
def add(overrides: tuple[str, ...], **options: Any) -> None:
    """Append an entry: the day, the skills, what was tried, rank-1 and pass rates before and after, the conclusion.

    The rank-1 rates after are those of the catalog as it is now. Earlier entries are never changed.
    """
    config = api.configure(overrides=overrides_of({"overrides": overrides, "fail_on": None}))
    path = stored.add_to_ledger(api.choose((), config), today=datetime.now(UTC).date(), **options)
    click.echo(f"added to {path}", err=True)


COMMAND = ledger
