import subprocess
import sys
import typing

import pytest

import skillcheck

NAMES = [
    "CaseRule", "Catalog", "CatalogRule", "Change", "Config", "Context", "Diagnostic", "Edit", "Fix", "Format",
    "Problem", "Related", "Report", "RouteRule", "Routing", "Rule", "Severity", "Skill", "SkillRule", "SkillcheckError",
    "Span", "Table", "UsageError", "__version__", "check", "configure", "fix", "lint", "load", "raise_ratchet", "route",
    "routed",
]  # fmt: skip


def test_the_public_names_are_these():
    assert sorted(skillcheck.__all__) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_is_there_and_told_about(name):
    value = getattr(skillcheck, name)
    assert name in dir(skillcheck)
    assert name == "__version__" or value.__doc__


def test_no_other_name_is_there():
    with pytest.raises(AttributeError, match=r"^module 'skillcheck' has no attribute 'linter'$"):
        skillcheck.linter  # noqa: B018 - asking is the test


def test_importing_loads_nothing():
    code = "import sys, skillcheck; print(sorted(name for name in sys.modules if name.startswith('skillcheck')))"
    done = subprocess.run((sys.executable, "-c", code), capture_output=True, text=True, check=True)
    assert done.stdout == "['skillcheck']\n"


def test_a_star_import_brings_all():
    space = {}
    exec("from skillcheck import *", space)  # noqa: S102 - a star import stands in no function
    assert set(NAMES) <= set(space)


def test_the_verbs_work_together(tmp_path):
    path = tmp_path / "skills/a/SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text("---\nname: a\n---\n\nText.\n", "utf-8")
    config = skillcheck.configure(base=tmp_path, overrides=["select=['missing-description']"])
    catalog = skillcheck.load((), config, tmp_path)
    report = skillcheck.lint(catalog)
    assert [(d.path, d.rule, d.severity) for d in report.diagnostics] == [
        ("skills/a/SKILL.md", "missing-description", skillcheck.Severity.ERROR)
    ]
    assert report.exit_status() == 1
    assert skillcheck.routed(catalog).prompts == ()
    assert skillcheck.check(catalog).diagnostics == report.diagnostics


def test_functions_say_what_they_take():
    for name in ("check", "configure", "fix", "lint", "load", "route", "routed"):
        assert "return" in typing.cast("typing.Any", getattr(skillcheck, name)).__annotations__
