"""`skillcheck explain`: the manual of a rule."""

from __future__ import annotations

import inspect

import click

from skillcheck.cli import say
from skillcheck.rules import Rule, named, rules


@click.command("explain")
@click.argument("name", metavar="RULE", required=False)
def explain(name: str | None) -> None:
    """Print the manual of a RULE; without one, list all rules."""
    if name is None:
        width = max(map(len, rules()))
        say("".join(f"{r.name:{width}}  {r.severity.label:7}  {r.summary}\n" for r in rules().values()))
        return
    say(_manual(named(name)) + "\n")


def _manual(rule: Rule) -> str:
    facts = [f"{rule.name} ({rule.severity.label}, family {rule.family})"]
    facts += [f"  option {name} = {default!r}" for name, default in rule.options.items()]
    return "\n".join((*facts, "", inspect.cleandoc(rule.doc or "")))


COMMAND = explain
