"""The checks of an eval: what is wrong with one as it is written, and what they say of a run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from skillcheck import schemas
from skillcheck.catalog.cases import where
from skillcheck.catalog.files import outside
from skillcheck.diagnostic import clipped
from skillcheck.evals.grader import Grade, UngradableError, grader_names, named
from skillcheck.suggest import closest, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from skillcheck.catalog.card import Role
    from skillcheck.evals.grader import Evidence, Grader

    Check = Mapping[str, Any]

FIXTURE_PATH = "fixture-path"
"""The `format` of options that name a program below evals/fixtures/."""

_SHOWN = 80
_KEYWORDS = {"required", "additionalProperties", "oneOf"}


class Breach(NamedTuple):
    """What is wrong with a check: the way to the value from the check, or to its key, and a message."""

    path: tuple[str | int, ...]
    message: str
    on_key: bool = False


class Result(NamedTuple):
    """What a check came to. `grade` is None where there is no verdict, and `problem` says why."""

    type: str
    label: str
    grade: Grade | None
    problem: str = ""


def problems(check: Check) -> tuple[Breach, ...]:
    """What is wrong with a check as it is written; files are not looked at. Raises UsageError for a broken plug-in."""
    grader = named(check["type"])
    if grader is None:
        hint = did_you_mean(check["type"], grader_names(), f"; there are {', '.join(grader_names())}")
        return (Breach(("type",), f"no grader has this name{hint}"),)
    given = _options(check)
    return (*_keys(grader, given), *_values(grader, given))


def programs(check: Check) -> tuple[str, ...]:
    """The options of a sound check that name programs below evals/fixtures/."""
    grader = named(check["type"])
    properties = grader.options["properties"] if grader else {}
    return tuple(key for key in check if properties.get(key, {}).get("format") == FIXTURE_PATH)


def is_process(name: str) -> bool:
    """Whether the checks of a grader test how the work was done."""
    grader = named(name)
    return grader is not None and grader.needs == "trace"


def label(check: Check) -> str:
    """What its verdict is called: its type and options, cut where they are long."""
    return clipped(f"{check['type']} {json.dumps(_options(check), ensure_ascii=False)}", _SHOWN)


def run(checks: Sequence[Check], evidence: Evidence) -> tuple[Result, ...]:
    """Make every check, in order; one that can't be made hides none of the others."""
    return tuple(_run(check, evidence) for check in checks)


def _run(check: Check, evidence: Evidence) -> Result:
    options = _options(check)
    try:
        grade, problem = _grade(check, options, evidence), ""
    except UngradableError as error:
        grade, problem = None, str(error)
    except Exception as error:  # noqa: BLE001 - a plug-in may raise anything
        grade, problem = None, f"{type(error).__name__}: {error}"
    return Result(check["type"], label(check), grade, problem)


def _grade(check: Check, options: Mapping[str, Any], evidence: Evidence) -> Grade:
    grader = named(check["type"])
    wrong = problems(check)
    if wrong or grader is None:
        raise UngradableError("; ".join(breach.message for breach in wrong))
    if grader.needs != "trace" and not evidence.work.is_dir():
        return Grade(passed=False, reason="the workspace is gone")
    return grader.grade(options, evidence)


def role(check: Check) -> Role:
    """What its verdict counts as."""
    return "constraint" if check.get("constraint") else ""


def _options(check: Check) -> dict[str, Any]:
    return {key: value for key, value in check.items() if key not in {"type", "constraint"}}


def _keys(grader: Grader, given: Mapping[str, Any]) -> Iterator[Breach]:
    """Options that there aren't, and those that are missing, unless they are written otherwise."""
    known = grader.options.get("properties", {})
    meant = set()
    for key in given:
        if key not in known:
            meant.add(closest(key, known))
            message = f"no option {clipped(key)!r}{did_you_mean(key, known, '; there are ' + ', '.join(known))}"
            yield Breach((key,), message, on_key=True)
    for key in grader.options.get("required", ()):
        if key not in given and key not in meant:
            yield Breach(("type",), f"the option {key!r} is missing")
    either = [key for branch in grader.options.get("oneOf", ()) for key in branch["required"]]
    if either and len(meant.union(given).intersection(either)) != 1:
        yield Breach(("type",), f"exactly one of the options {', '.join(map(repr, either))} is needed")


def _values(grader: Grader, given: Mapping[str, Any]) -> Iterator[Breach]:
    for path, keyword, message in schemas.breaches(grader.options, given, _FORMATS):
        if path or keyword not in _KEYWORDS:
            yield Breach(path, f"{where(path)}: {message}" if path else message)


def _workspace_fault(path: str) -> str:
    """Why a path or a glob names nothing in the workspace."""
    reason = outside(path) or ("it goes upward" if ".." in path.split("/") else "")
    reason = reason or ("it has a NUL" if "\0" in path else "")
    return f"{clipped(path)!r} leaves the workspace: {reason}" if reason else ""


def _argument_fault(text: str) -> str:
    return f"{clipped(text)!r} has a NUL, which no program can be given" if "\0" in text else ""


def _fixture_fault(path: str) -> str:
    reason = outside(path)
    return f"{clipped(path)!r} leaves the fixtures: {reason}" if reason else ""


def _regex_fault(pattern: str) -> str:
    from skillcheck.evals.pattern import fault  # noqa: PLC0415 - few checks have one

    return fault(pattern)


_FORMATS = {
    "workspace-path": _workspace_fault,
    FIXTURE_PATH: _fixture_fault,
    "python-regex": _regex_fault,
    "argument": _argument_fault,
}
"""What is wrong with an option's text, by the `format` that its schema gives it."""
