import os
import subprocess

import pytest
from catalogs import skill, write

from skillcheck import api
from skillcheck.diagnostic import Diagnostic, Edit, Fix, Severity
from skillcheck.errors import UsageError
from skillcheck.mend import MAX_PASSES, mend
from skillcheck.report import Report
from skillcheck.span import BOM, Span

PATH = "skills/a/SKILL.md"


def catalog(root, text=None, *names):
    texts = {
        PATH: text if text is not None else skill("a"),
        **{f"skills/{name}/SKILL.md": skill(name) for name in names},
    }
    return api.load((), api.configure(base=write(root, texts)), root)


def finding(span, text, path=PATH, *, safe=True):
    return Diagnostic(path, Span(*span), "rule", Severity.ERROR, "m", "", Fix("t", (Edit(Span(*span), text),), safe))


def once(*diagnostics):
    """A look that finds something until a skill's text has changed."""
    seen = []

    def look(catalog):
        seen.append([each.text for each in catalog.skills])
        return Report.of(diagnostics if seen[-1] == seen[0] else ())

    return look


def test_safe_fixes_are_applied_and_nothing_is_written(tmp_path):
    loaded = catalog(tmp_path, None, "b")
    report, changes = mend(loaded, once(finding((2, 7, 2, 8), "z")))
    assert report.diagnostics == ()
    assert [(change.before, change.after) for change in changes] == [(skill("a"), skill("z"))]
    assert (tmp_path / PATH).read_text("utf-8") == skill("a")


def test_other_fixes_are_left_for_people(tmp_path):
    unsafe = finding((2, 7, 2, 8), "z", safe=False)
    assert mend(catalog(tmp_path), lambda _: Report.of([unsafe])) == (Report.of([unsafe]), ())


def test_fixes_that_touch_wait_for_the_next_look(tmp_path):
    def look(catalog):
        name = catalog.skills[0].name
        found = {"a": [finding((2, 7, 2, 8), "bc"), finding((2, 8, 2, 8), "X")], "bc": [finding((2, 9, 2, 9), "d")]}
        return Report.of(found.get(name, ()))

    assert mend(catalog(tmp_path), look)[1][0].after == skill("bcd")


def test_fixes_that_undo_each_other_come_to_an_end(tmp_path):
    looks = []

    def look(catalog):
        looks.append(catalog)
        return Report.of([finding((2, 7, 2, 8), "b" if catalog.skills[0].name == "a" else "a")])

    assert mend(catalog(tmp_path), look)[1] == ()
    assert len(looks) == MAX_PASSES + 1


@pytest.mark.parametrize(
    "text",
    [
        skill("a"), skill("a").replace("\n", "\r\n"), skill("a", body="x"),
        skill("a", body="a\x0cb\u2028c\u0085d\x1ee\n"),
        BOM + skill("a"), skill("a", body="\x1b[31mred\x1b[0m\n"),
    ],
    ids=["plain", "both line ends", "no line end", "other separators", "byte-order mark", "escape sequences"],
)  # fmt: skip
def test_a_diff_can_be_applied(text, tmp_path):
    _, (change,) = mend(catalog(tmp_path, text), once(finding((2, 7, 2, 8), "z"), finding((6, 1, 6, 1), "new ")))
    patch = change.diff().encode()
    subprocess.run(("git", "apply", "-p0"), cwd=tmp_path, input=patch, check=True)
    assert (tmp_path / PATH).read_bytes() == change.after.encode()


def test_a_fix_is_written_with_everything_else_as_it_was(tmp_path):
    loaded = catalog(tmp_path, BOM + skill("a").replace("\n", "\r\n"))
    (tmp_path / PATH).chmod(0o640)
    report, changes = api.fix(loaded)
    assert [change.after for change in changes] == [skill("a").replace("\n", "\r\n")]
    assert (tmp_path / PATH).read_bytes() == skill("a").replace("\n", "\r\n").encode()
    assert (tmp_path / PATH).stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path / "skills/a") == ["SKILL.md"]
    assert "byte-order-mark" not in {d.rule for d in report.diagnostics}


def test_a_link_stays_a_link(tmp_path):
    write(tmp_path, {"real.md": BOM + skill("a"), "skills/b/SKILL.md": skill("b")})
    (tmp_path / "skills/a").mkdir()
    (tmp_path / PATH).symlink_to("../../real.md")
    api.fix(api.load((), api.configure(base=tmp_path), tmp_path))
    assert (tmp_path / PATH).is_symlink()
    assert (tmp_path / "real.md").read_text("utf-8") == skill("a")


def test_a_file_that_cannot_be_written_is_told_and_nothing_is_left_behind(tmp_path, monkeypatch):
    loaded = catalog(tmp_path, BOM + skill("a"))

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.replace", refuse)
    with pytest.raises(UsageError, match=r"SKILL\.md can't be written: Permission denied$"):
        api.fix(loaded)
    assert os.listdir(tmp_path / "skills/a") == ["SKILL.md"]
    assert (tmp_path / PATH).read_text("utf-8") == BOM + skill("a")
