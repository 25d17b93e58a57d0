"""`skillcheck explain`: the manual of a rule."""

from __future__ import annotations

import inspect

import click

from skillcheck.rules import Rule, named, rules


@click.command("explain")
@click.argument("name", metavar="RULE", required=False)
def explain(name: str | None) -> None:
    """Print the manual of a RULE; without one, list all rules."""
    if name is None:
        width = max(map(len, rules()))
        for rule in rules().values():
            click.echo(f"{rule.name:{width}}  {rule.severity.label:7}  {rule.summary}")
        return
    click.echo(_manual(named(name)))


def _manual(rule: Rule) -> str:
    facts = [f"{rule.name} ({rule.severity.label}, family {rule.family})"]
    facts += [f"  option {name} = {default!r}" for name, default in rule.options.items()]
    return "\n".join((*facts, "", inspect.cleandoc(rule.doc or "")))


COMMAND = explain
