"""The contract of a rule. Every other file here is one rule and ends in one constant, RULE.

The file's name is the rule's name, its folder the family, its docstring the manual: a first line that says what is
wrong, prose, and `## Bad` and `## Good` with whole files as examples, which the suite runs.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from skillcheck.diagnostic import Diagnostic, Problem, Severity
from skillcheck.errors import UsageError
from skillcheck.registry import find, load, modules, names, plugins
from skillcheck.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from skillcheck.catalog.cases import CaseFile
    from skillcheck.catalog.catalog import Catalog
    from skillcheck.catalog.fault import Fault
    from skillcheck.config import Config
    from skillcheck.evals.running.results import Results
    from skillcheck.routing import Routing

PLUGINS = "plugins"
"""The family of other people's rules."""
_PACKAGE = "skillcheck.rules."


class Context(NamedTuple):
    """What a check may look at beside its subject: the catalog, and the rule's options with what settings say."""

    catalog: Catalog
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule by itself has no check: its problems are found while files are read (see `Fault`).

    What a check takes and yields depends on the kind. `options` holds each option's default; settings may give another
    value of the same type.
    """

    module: str
    severity: Severity
    doc: str | None
    check: Callable[..., Iterable[Any]] = lambda *_: ()
    options: Mapping[str, Any] = field(default_factory=dict, kw_only=True)

    @property
    def name(self) -> str:
        """The kebab-case name, which is stable and never reused."""
        return self.module.rpartition(".")[2].replace("_", "-")

    @property
    def family(self) -> str:
        """The folder that the rule stands in; `plugins` for other people's rules."""
        return _family(self.module)

    @property
    def family_doc(self) -> str:
        """The family's manual, which may show files that stand around the examples."""
        package = sys.modules.get(self.module.rpartition(".")[0])
        return (package.__doc__ if package else None) or ""

    @property
    def summary(self) -> str:
        """The manual's first line."""
        return (self.doc or "").strip().partition("\n")[0].rstrip(".")


class SkillRule(Rule):
    """Looks at one skill at a time: `check(skill, context)` yields problems of its SKILL.md."""

    __slots__ = ()


class CatalogRule(Rule):
    """Looks at the catalog as a whole: `check(context)` yields (shown path, problem)."""

    __slots__ = ()


class CaseRule(Rule):
    """Looks at one case file of a skill at a time: `check(case_file, context)` yields problems of it.

    A file of no skill is orphan-cases' business alone.
    """

    __slots__ = ()


class RouteRule(Rule):
    """Looks at what the router made of the prompts: `check(routing, context)` yields (shown path, problem)."""

    __slots__ = ()


class TrialRule(Rule):
    """Looks at what agents did: `check(results, context)` yields (shown path, problem)."""

    __slots__ = ()


@cache
def rules(wanted: frozenset[str] | None = None) -> Mapping[str, Rule]:
    """Rules by name, ours and plug-ins'; `wanted` names families and rules, and what it doesn't name isn't loaded.

    Raises UsageError for a plug-in that is broken or takes a name.
    """
    found = {name: load(module, "RULE") for name, module in modules(__name__).items() if _wanted(name, module, wanted)}
    for plugin in plugins(__name__) if wanted is None or PLUGINS in wanted else ():
        if not isinstance(plugin, Rule) or plugin.name in modules(__name__):
            message = f"plug-in rule {getattr(plugin, 'module', plugin)!r} is no rule, or its name is taken"
            raise UsageError(message)
        found[plugin.name] = plugin
    return dict(sorted(found.items()))


@cache
def rule_names() -> tuple[str, ...]:
    """The names of all rules; none is loaded."""
    return names(__name__)


@cache
def families() -> frozenset[str]:
    """All families."""
    return frozenset({_family(module) for module in modules(__name__).values()} | {PLUGINS})


def _family(module: str) -> str:
    return module.removeprefix(_PACKAGE).partition(".")[0] if module.startswith(_PACKAGE) else PLUGINS


def _wanted(name: str, module: str, wanted: frozenset[str] | None) -> bool:
    return wanted is None or not wanted.isdisjoint({name, _family(module)})


def active(config: Config, wanted: frozenset[str] | None = None) -> tuple[Rule, ...]:
    """The rules that settings leave on, of the families and rules that `wanted` names, or of all.

    Raises UsageError for a name or an option that no rule has, or a value of another type than its default.
    """
    ignored = (name for group in config.per_file_ignores.values() for name in group)
    for name in (*config.select, *config.ignore, *ignored):
        _require(name, (*rule_names(), *families()))
    for name, table in config.rules.items():
        _require(name, rule_names())
        _check_options(named(name), table)
    chosen = [rule for rule in rules(wanted).values() if _is_chosen(rule, config)]
    if not chosen:
        message = f"nothing to do: this command runs none of {', '.join(config.select)}"
        raise UsageError(message)
    return tuple(rule for rule in chosen if _is_on(rule, config))


def named(name: str) -> Rule:
    """The rule of a name. Raises UsageError for an unknown one."""
    _require(name, rule_names())
    found: Rule = find(__name__, name, "RULE")
    return found


def _is_chosen(rule: Rule, config: Config) -> bool:
    return not config.select or not {rule.name, rule.family}.isdisjoint(config.select)


def _is_on(rule: Rule, config: Config) -> bool:
    ignored = not {rule.name, rule.family}.isdisjoint(config.ignore)
    return not ignored and config.severity(rule.name, rule.severity) != Severity.OFF


def _require(name: str, known: Iterable[str]) -> None:
    if name not in known and name in families():
        message = f"{name!r} is a family of rules, and this takes a rule; see `skillcheck explain {name}`"
        raise UsageError(message)
    if name not in known:
        message = f"unknown rule {name!r}{did_you_mean(name, known, '; see `skillcheck explain`')}"
        raise UsageError(message)


def _check_options(rule: Rule, table: Mapping[str, Any]) -> None:
    for name, value in table.items():
        if name == "severity":
            continue
        if name not in rule.options:
            known = ", ".join(("severity", *rule.options))
            message = f"rule {rule.name!r} has no option {name!r}; it has {known}"
            raise UsageError(message)
        wanted = type(rule.options[name])
        kinds = (int, float) if wanted is float else (wanted,)
        if not isinstance(value, kinds) or (isinstance(value, bool) and wanted is not bool):
            message = f"rules.{rule.name}.{name} must be of type {wanted.__name__}, not {value!r}"
            raise UsageError(message)


def run(
    active_rules: Iterable[Rule],
    catalog: Catalog,
    routing: Routing | None = None,
    results: Results | None = None,
    *,
    with_cases: bool = True,
) -> Iterator[Diagnostic]:
    """Every diagnostic of some rules, for the selected skills and whatever belongs to the whole catalog.

    Without `with_cases` nobody is told what hinders the reading of case files, and rules on skills need none read.
    """
    active_rules = tuple(active_rules)
    yield from told(active_rules, _faults(catalog, catalog.reported_cases if with_cases else ()), catalog.config)
    for rule in active_rules:
        options = {name: catalog.config.option(rule.name, name, default) for name, default in rule.options.items()}
        context = Context(catalog, options)
        for path, problem in _problems(rule, context, routing, results):
            yield diagnose(rule, path, problem, catalog.config)


def _faults(catalog: Catalog, case_files: Iterable[CaseFile]) -> Iterator[tuple[str, Fault]]:
    """What was found while reading, by shown path."""
    yield from catalog.faults
    yield from ((skill.shown, fault) for skill in catalog.reported_skills for fault in skill.faults)
    yield from ((file.shown, fault) for file in case_files for fault in file.faults)


def told(active_rules: Iterable[Rule], places: Iterable[tuple[str, Fault]], config: Config) -> Iterator[Diagnostic]:
    """The diagnostics of faults, by shown path, for the rules that are on."""
    by_name = {rule.name: rule for rule in active_rules}
    for path, fault in places:
        if fault.rule in by_name:
            yield diagnose(by_name[fault.rule], path, fault.problem, config)


def _problems(
    rule: Rule, context: Context, routing: Routing | None, results: Results | None
) -> Iterator[tuple[str, Problem]]:
    if isinstance(rule, SkillRule):
        for skill in context.catalog.reported_skills:
            if skill.unreadable is None:
                yield from ((skill.shown, problem) for problem in rule.check(skill, context))
    elif isinstance(rule, CaseRule):
        for file in context.catalog.reported_cases:
            if file.stem in context.catalog.known:
                yield from ((file.shown, problem) for problem in rule.check(file, context))
    elif isinstance(rule, CatalogRule):
        yield from rule.check(context)
    elif isinstance(rule, RouteRule) and routing is not None:
        yield from rule.check(routing, context)
    elif isinstance(rule, TrialRule) and results is not None:
        yield from rule.check(results, context)


def diagnose(rule: Rule, path: str, problem: Problem, config: Config) -> Diagnostic:
    """A problem as the user sees it."""
    return Diagnostic(
        path,
        problem.span,
        rule.name,
        config.severity(rule.name, rule.severity),
        problem.message,
        problem.help,
        problem.fix,
        problem.related,
    )
