"""`skillcheck explain`: the manual of a rule, or of a check that evals make."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

import click

from skillcheck.cli import say
from skillcheck.errors import UsageError
from skillcheck.evals import grader
from skillcheck.evals.grader import grader_names
from skillcheck.rules import Rule, families, named, rules

if TYPE_CHECKING:
    from collections.abc import Iterable

CHECKS = "checks"


@click.command("explain")
@click.argument("name", metavar="[RULE]", required=False)
def explain(name: str | None) -> None:
    """Print the manual of a RULE, or list the rules of a family; without a name, list all rules.

    The checks of evals have manuals too: `skillcheck explain checks` lists them.
    """
    if name is None or name in families():
        say(_list(rules(frozenset({name}) if name else None).values()))
    elif name == CHECKS or name in grader_names():
        say(_checks() if name == CHECKS else _check(name))
    else:
        say(_manual(named(name)) + "\n")


def _checks() -> str:
    width = max(map(len, grader_names()))
    graders = ((name, grader.named(name)) for name in grader_names())
    return "".join(f"{name:{width}}  {found.summary}\n" for name, found in graders if found)


def _check(name: str) -> str:
    found = grader.named(name)
    if found is None:
        message = f"check {name!r} has no manual"
        raise UsageError(message)
    options = (f"  option {key}: {value['description']}" for key, value in found.options["properties"].items())
    facts = "\n".join((f"{name} (a check of evals)", *options))
    return f"{facts}\n\n{inspect.cleandoc(found.doc or '')}\n"


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
