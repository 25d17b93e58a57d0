"""Take back the findings that comments or settings suppress, and report comments that suppress nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.catalog.suppressions import Suppression, suppressions
from skillcheck.config import matches
from skillcheck.diagnostic import Problem
from skillcheck.rules import diagnose, rules
from skillcheck.suggest import closest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from skillcheck.catalog.catalog import Catalog
    from skillcheck.diagnostic import Diagnostic
    from skillcheck.rules import Rule

UNUSED = "unused-suppression"
UNEXPLAINED = "unexplained-suppression"


def suppress(found: Iterable[Diagnostic], catalog: Catalog, ran: Sequence[Rule]) -> Iterator[Diagnostic]:
    """The findings that are left, with one for each suppression that is unused or gives no reason.

    `ran` are the rules that were run: a comment for any other rule may be of use another time.
    """
    comments = {s.shown: tuple(suppressions(s)) for s in catalog.skills if s.shown in catalog.selected}
    used: set[tuple[Suppression, str]] = set()
    for diagnostic in found:
        hits = [c for c in comments.get(diagnostic.path, ()) if c.covers(diagnostic.rule, diagnostic.span.line)]
        used.update((hit, diagnostic.rule) for hit in hits)
        if not hits and not _ignored_here(diagnostic, catalog):
            yield diagnostic
    by_name = {rule.name: rule for rule in ran}
    for path, here in comments.items():
        for comment in here:
            for name, problem in _complaints(comment, used, by_name):
                if name in by_name:
                    yield diagnose(by_name[name], path, problem, catalog.config)


def _complaints(
    comment: Suppression, used: set[tuple[Suppression, str]], ran: Iterable[str]
) -> Iterator[tuple[str, Problem]]:
    for name in comment.rules:
        if name not in rules():
            near = closest(name, rules())
            message = f"{name!r} is no rule" + (f"; did you mean {near!r}" if near else "")
            yield UNUSED, Problem(comment.span, message)
        elif name in ran and (comment, name) not in used:
            yield UNUSED, Problem(comment.span, f"nothing here breaks {name!r}", "take the comment out")
    if not comment.reason:
        yield UNEXPLAINED, Problem(comment.span, "a suppression without a reason", "write -- and why after the rules")


def _ignored_here(diagnostic: Diagnostic, catalog: Catalog) -> bool:
    patterns = catalog.config.per_file_ignores.items()
    if not patterns:
        return False
    path = (catalog.base / diagnostic.path).resolve()
    root = catalog.config.root.resolve()
    shown = path.relative_to(root).as_posix() if path.is_relative_to(root) else diagnostic.path
    family = rules()[diagnostic.rule].family
    return any(
        matches(pattern, shown) and not {diagnostic.rule, family}.isdisjoint(names) for pattern, names in patterns
    )
