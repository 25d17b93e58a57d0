"""`skillcheck schema`: the JSON Schemas of what we read and write."""

from __future__ import annotations

import click

from skillcheck import schemas


@click.command("schema")
@click.argument("name", required=False, type=click.Choice(schemas.names()))
def schema(name: str | None) -> None:
    """Print a JSON Schema; without a NAME, list them."""
    click.echo(schemas.text(name) if name else "\n".join(schemas.names()), nl=not name)


COMMAND = schema
