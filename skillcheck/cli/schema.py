"""`skillcheck schema`: the JSON Schemas of what we read and write."""

from __future__ import annotations

import click

from skillcheck import schemas
from skillcheck.cli import say


@click.command("schema")
@click.argument("name", required=False, type=click.Choice(schemas.names()))
def schema(name: str | None) -> None:
    """Print a JSON Schema; without a NAME, list them."""
    say(schemas.text(name) if name else "".join(f"{each}\n" for each in schemas.names()))


COMMAND = schema
