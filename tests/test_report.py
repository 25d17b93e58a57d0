import pytest

from skillcheck.diagnostic import Diagnostic, Related, Severity
from skillcheck.report import Report
from skillcheck.span import START, Span


def diagnostic(severity=Severity.ERROR, path="a", line=1):
    return Diagnostic(path, Span(line, 1, line, 1), "rule", severity, "message")


def test_diagnostics_are_sorted():
    one, two, three = diagnostic(path="a", line=2), diagnostic(path="a", line=10), diagnostic(path="b")
    assert Report.of([three, two, one]).diagnostics == (one, two, three)


def test_severities_are_counted_with_zeros_worst_first():
    report = Report.of([diagnostic(Severity.WARNING), diagnostic(Severity.WARNING), diagnostic(Severity.INFO)])
    assert list(report.counts().items()) == [(Severity.ERROR, 0), (Severity.WARNING, 2), (Severity.INFO, 1)]


@pytest.mark.parametrize(
    ("severities", "fail_on", "status"),
    [
        ([], Severity.INFO, 0),
        ([Severity.ERROR], Severity.ERROR, 1),
        ([Severity.WARNING, Severity.INFO], Severity.ERROR, 0),
        ([Severity.WARNING], Severity.WARNING, 1),
        ([Severity.INFO], Severity.WARNING, 0),
        ([Severity.INFO], Severity.INFO, 1),
        ([Severity.ERROR], Severity.OFF, 0),
        ([], Severity.OFF, 0),
    ],
    ids=[
        "nothing", "error", "below error", "warning counts", "info below warning", "info counts", "never",
        "never without any",
    ],
)  # fmt: skip
def test_exit_status_is_one_from_the_severity_on(severities, fail_on, status):
    assert Report.of(diagnostic(severity) for severity in severities).exit_status(fail_on) == status


def test_an_empty_report_is_clean():
    assert Report().exit_status() == 0


def test_every_path_is_seen_from_the_folder(tmp_path, monkeypatch):
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    found = diagnostic(path="a.md")._replace(related=(Related("../b.md", START, "is the same"),))
    (moved,) = Report.of([found]).seen_from(str(tmp_path)).diagnostics
    assert (moved.path, moved.related[0].path) == ("sub/a.md", "b.md")
