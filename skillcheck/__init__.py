"""Check a catalog of agent skills.

What stands in `__all__` is the public interface; everything else may change. Nothing of it is loaded before it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from skillcheck.api import check, configure, fix, lint, load, raise_ratchet, route, routed
    from skillcheck.catalog.catalog import Catalog
    from skillcheck.catalog.skill import Skill
    from skillcheck.config import Config
    from skillcheck.diagnostic import Diagnostic, Edit, Fix, Problem, Related, Severity
    from skillcheck.errors import SkillcheckError, UsageError
    from skillcheck.formats import Format
    from skillcheck.mend import Change
    from skillcheck.report import Report, Table
    from skillcheck.routing import Routing
    from skillcheck.rules import CaseRule, CatalogRule, Context, RouteRule, Rule, SkillRule
    from skillcheck.span import Span

__version__ = "0.1.0"
__all__ = (
    "CaseRule",
    "Catalog",
    "CatalogRule",
    "Change",
    "Config",
    "Context",
    "Diagnostic",
    "Edit",
    "Fix",
    "Format",
    "Problem",
    "Related",
    "Report",
    "RouteRule",
    "Routing",
    "Rule",
    "Severity",
    "Skill",
    "SkillRule",
    "SkillcheckError",
    "Span",
    "Table",
    "UsageError",
    "__version__",
    "check",
    "configure",
    "fix",
    "lint",
    "load",
    "raise_ratchet",
    "route",
    "routed",
)
_MODULES = {
    "api": ("check", "configure", "fix", "lint", "load", "raise_ratchet", "route", "routed"),
    "catalog.catalog": ("Catalog",),
    "catalog.skill": ("Skill",),
    "config": ("Config",),
    "diagnostic": ("Diagnostic", "Edit", "Fix", "Problem", "Related", "Severity"),
    "errors": ("SkillcheckError", "UsageError"),
    "formats": ("Format",),
    "mend": ("Change",),
    "report": ("Report", "Table"),
    "routing": ("Routing",),
    "rules": ("CaseRule", "CatalogRule", "Context", "RouteRule", "Rule", "SkillRule"),
    "span": ("Span",),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}

if not TYPE_CHECKING:  # a checker that saw this would believe in any name

    def __getattr__(name):  # noqa: ANN001, ANN202 - no checker looks
        """Load a public name at its first use (PEP 562)."""
        if name not in _HOMES:
            message = f"module {__name__!r} has no attribute {name!r}"
            raise AttributeError(message)
        from importlib import import_module  # noqa: PLC0415 - see the module's docstring

        value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        globals()[name] = value
        return value

    def __dir__():  # noqa: ANN202 - no checker looks
        """What can be asked for."""
        return sorted({*globals(), *__all__})
