"""`skillcheck explain`: the manual of a rule."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

import click

from skillcheck.cli import say
from skillcheck.rules import Rule, families, named, rules

if TYPE_CHECKING:
    from collections.abc import Iterable


@click.command("explain")
@click.argument("name", metavar="[RULE]", required=False)
def explain(name: str | None) -> None:
    """Print the manual of a RULE, or list the rules of a family; without a name, list all rules."""
    if name is None or name in families():
        say(_list(rules(frozenset({name}) if name else None).values()))
    else:
        say(_manual(named(name)) + "\n")


def _list(listed: Iterable[Rule]) -> str:
    listed = tuple(listed)
    width = max((len(rule.name) for rule in listed), default=0)
    return "".join(f"{rule.name:{width}}  {rule.severity.label:7}  {rule.summary}\n" for rule in listed)


def _manual(rule: Rule) -> str:
    facts = [f"{rule.name} ({rule.severity.label}, family {rule.family})"]
    facts += [f"  option {name} = {default!r}" for name, default in rule.options.items()]
    around = inspect.cleandoc(rule.family_doc).partition("\n")[2].strip()
    return "\n\n".join(filter(None, ("\n".join(facts), inspect.cleandoc(rule.doc or ""), around)))


COMMAND = explain
