"""For CI systems that read JUnit's XML: a test case a trial, or a failed one a finding.

Source: the schema of Jenkins' xUnit plug-in (junit-10.xsd), which GitLab and Jenkins read. What could not
be done is an `error`, what was done and is wrong a `failure`.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from skillcheck.diagnostic import Severity
from skillcheck.formats import Format

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from skillcheck.report import Report

OF_TRIALS = frozenset({"failed-check", "failed-expectation", "failed-trial"})
"""The rules whose findings the trials tell themselves."""
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 can't hold, even escaped."""
_JUDGED = "with"
"""The arm that skills are judged by; a control may fail."""


def render(report: Report, *, colour: bool = False) -> str:
    """One suite a skill of the trials that a report holds, one a file of its other findings."""
    del colour
    root = ET.Element("testsuites")
    if "trials" in report.records:
        for (skill, agent), trials in groupby(report.records["trials"], key=lambda t: (t["skill"], t["harness"])):
            _suite(root, f"{skill} ({agent})" if "harnesses" in report.metrics else skill, map(_trial, trials))
    told = [d for d in report.diagnostics if "trials" not in report.records or d.rule not in OF_TRIALS]
    for path, found in groupby(told, key=lambda d: d.path):
        _suite(root, path, (_case(f"{d.rule}:{d.span.line}", path, _verdict(d.severity, d.message)) for d in found))
    for skill, left_out in groupby(report.records.get("left_out", ()), key=lambda entry: entry["skill"]):
        _suite(root, skill, (_case(f"eval {e['eval']}", skill, ("skipped", "", e["reason"])) for e in left_out))
    if len(root) == 0:
        _suite(root, "skillcheck", [_case("no findings", "skillcheck")])
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=False) + "\n"


def _suite(root: ET.Element, name: str, cases: Iterable[ET.Element]) -> None:
    suite = ET.SubElement(root, "testsuite", name=_text(name))
    suite.extend(cases)
    suite.set("tests", str(len(suite)))
    for kind, total in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        suite.set(total, str(sum(1 for case in suite if case.find(kind) is not None)))


def _case(name: str, group: str, verdict: tuple[str, str, str] | None = None, seconds: float = 0) -> ET.Element:
    """A test case; `verdict` is the element that tells what is wrong, its type and its text."""
    case = ET.Element("testcase", name=_text(name), classname=_text(group), time=f"{seconds:.3f}")
    if verdict:
        kind, type_, text = verdict
        first = text.partition("\n")[0]
        ET.SubElement(case, kind, type=_text(type_), message=_text(first)).text = _text(text)
    return case


def _verdict(severity: Severity, message: str) -> tuple[str, str, str] | None:
    return ("failure", severity.label, message) if severity == Severity.ERROR else None


def _trial(trial: Mapping[str, Any]) -> ET.Element:
    name = f"eval {trial['eval']}, trial {trial['trial']}"
    if trial["arm"] != _JUDGED:
        name += f", arm {trial['arm']}"
    return _case(name, trial["skill"], _of_status(trial), trial["seconds"])


def _of_status(trial: Mapping[str, Any]) -> tuple[str, str, str] | None:
    if trial["status"] == "error":
        return "error", trial["class"], trial["message"]
    if trial["status"] == "passed" or trial["arm"] != _JUDGED:
        return None
    verdicts = (*trial["checks"], *trial["expectations"])
    lines = [f"{each['text']}: {each['evidence']}" for each in verdicts if not each["passed"]]
    return "failure", trial["class"], "\n".join(lines or [trial["message"]])


def _text(value: str) -> str:
    return _NOT_XML.sub("\ufffd", value)


FORMAT = Format("junit", render)
