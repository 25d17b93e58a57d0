"""Take back the findings that comments or settings suppress, and report comments that suppress nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.config import matches
from skillcheck.diagnostic import Edit, Fix, Problem
from skillcheck.rules import CatalogRule, RouteRule, diagnose, families, named, rule_names
from skillcheck.suggest import closest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from skillcheck.catalog.catalog import Catalog
    from skillcheck.catalog.skill import Skill
    from skillcheck.catalog.suppressions import Suppression
    from skillcheck.diagnostic import Diagnostic
    from skillcheck.rules import Rule

MARK = "skillcheck"
"""What every comment for us contains."""
UNUSED = "unused-suppression"
UNEXPLAINED = "unexplained-suppression"
OURS = frozenset({UNUSED, UNEXPLAINED})

_Used = set[tuple[str, "Suppression", str]]


def suppress(found: Iterable[Diagnostic], catalog: Catalog, ran: Sequence[Rule]) -> Iterator[Diagnostic]:
    """The findings that are left, with one for each suppression that is unused or gives no reason.

    `ran` are the rules that were run: a comment for any other rule may be of use another time.
    """
    comments = _comments(catalog.reported_skills)
    used: _Used = set()
    yield from _left(found, catalog, comments, used)
    by_name = {rule.name: rule for rule in ran}
    for of_ours in (False, True):  # what is said of comments may be suppressed too, so those comments come last
        said = [
            diagnose(by_name[name], path, problem, catalog.config)
            for path, here in comments.items()
            for comment in here
            for name, problem in _complaints(comment, _unused(path, comment, used, by_name, catalog), of_ours=of_ours)
            if name in by_name
        ]
        yield from _left(said, catalog, comments, used)


def _comments(skills: Iterable[Skill]) -> Mapping[str, Sequence[Suppression]]:
    """The comments of each skill that has any, by its shown path."""
    marked = [skill for skill in skills if skill.unreadable is None and MARK in skill.text.lower()]
    if not marked:
        return {}
    from skillcheck.catalog.suppressions import suppressions  # noqa: PLC0415 - few catalogs need it

    return {skill.shown: tuple(suppressions(skill)) for skill in marked}


def _left(
    found: Iterable[Diagnostic], catalog: Catalog, comments: Mapping[str, Sequence[Suppression]], used: _Used
) -> Iterator[Diagnostic]:
    """The findings that nothing takes back; the comments that take back others are noted."""
    for diagnostic in found:
        hits = [c for c in comments.get(diagnostic.path, ()) if c.covers(diagnostic.rule, diagnostic.span.line)]
        used.update((diagnostic.path, hit, diagnostic.rule) for hit in hits)
        if not hits and not _ignored_here(diagnostic, catalog):
            yield diagnostic


def _unused(
    path: str, comment: Suppression, used: _Used, ran: Mapping[str, Rule], catalog: Catalog
) -> tuple[tuple[str, Problem], ...]:
    """Each rule that a comment names for nothing. What only a look at the whole catalog finds needs such a look."""
    known, found = frozenset(rule_names()), []
    for name, spot in zip(comment.rules, comment.spots, strict=True):
        if name not in known:
            near = closest(name, known)
            message = f"{name!r} is no rule" + (f"; did you mean {near!r}" if near else "")
            fix = Fix(f"replace by {near}", (Edit(spot, near),), safe=False) if near else None
            hint = "families can't be suppressed by a comment; name single rules" if name in families() else ""
            found.append((name, Problem(spot, message, hint, fix)))
        elif (
            name in ran
            and (path, comment, name) not in used
            and not (catalog.narrowed and isinstance(ran[name], CatalogRule | RouteRule))
        ):
            found.append((name, Problem(spot, f"nothing here breaks {name!r}", "take it out of the comment")))
    return tuple(found)


def _complaints(
    comment: Suppression, unused: Sequence[tuple[str, Problem]], *, of_ours: bool
) -> Iterator[tuple[str, Problem]]:
    for name, problem in unused:
        if (name in OURS) == of_ours:
            useless = len(unused) == len(comment.rules) and all(rule in rule_names() for rule in comment.rules)
            yield UNUSED, _with_fix(problem, comment) if useless else problem
    if of_ours:
        return
    if comment.wrong:
        yield UNUSED, Problem(comment.span, comment.wrong)
    elif not comment.reason:
        yield UNEXPLAINED, Problem(comment.span, "a suppression without a reason", "write -- and why after the rules")


def _with_fix(problem: Problem, comment: Suppression) -> Problem:
    fix = Fix("remove the comment", (Edit(comment.cut, ""),))
    return Problem(problem.span, problem.message, problem.help, fix)


def _ignored_here(diagnostic: Diagnostic, catalog: Catalog) -> bool:
    patterns = catalog.config.per_file_ignores.items()
    if not patterns:
        return False
    path = (catalog.base / diagnostic.path).resolve()
    root = catalog.config.root.resolve()
    shown = path.relative_to(root).as_posix() if path.is_relative_to(root) else diagnostic.path
    family = named(diagnostic.rule).family
    return any(
        matches(pattern, shown) and not {diagnostic.rule, family}.isdisjoint(names) for pattern, names in patterns
    )
