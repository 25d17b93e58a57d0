"""Comments and settings take findings back; comments that don't are findings themselves."""

import pytest

from skillcheck import api

HEAD = "---\nname: {name}{comment}\ndescription: Sorts notes by date. Use when a folder of notes has grown.\n---\n\n"
RENAMED = "name-directory-mismatch"


def lint(root, name="a", comment="", body="Sort them.\n", settings="", paths=(), other=None):
    for folder, text in {"a": HEAD.format(name=name, comment=comment) + body, **(other or {})}.items():
        file = root / "skills" / folder / "SKILL.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8", newline="")
    (root / ".skillcheck.toml").write_text(settings, "utf-8")
    catalog = api.load([root / path for path in paths], api.configure(base=root), root)
    return [
        (d.span.line, d.span.column, d.severity.label, d.rule, d.message)
        for d in api.lint(catalog).diagnostics
        if d.severity.label != "info"
    ]


@pytest.mark.parametrize(
    ("comment", "body"),
    [
        pytest.param(f" # skillcheck-disable-line {RENAMED} -- it is so", "Sort them.\n", id="on the line"),
        pytest.param(f"\n# skillcheck-disable-file {RENAMED} -- it is so", "Sort them.\n", id="in the frontmatter"),
        pytest.param("", f"<!-- skillcheck-disable-file {RENAMED} -- it is so -->\n\nSort.\n", id="in the body"),
        pytest.param("", f"<!-- skillcheck-disable-file {RENAMED} — it is so -->\n\nSort.\n", id="long dash"),
        pytest.param("", f"<!--\nskillcheck-disable-file {RENAMED} -- it\nis so\n-->\n\nSort.\n", id="many lines"),
        pytest.param(f" #skillcheck-disable-line {RENAMED} -- it is so\r", "Sort them.\n", id="carriage return"),
    ],
)
def test_comment_takes_a_finding_back(tmp_path, comment, body):
    assert lint(tmp_path, "b", comment, body) == []


@pytest.mark.parametrize(
    ("body", "left"),
    [
        pytest.param("<!-- skillcheck-disable-next-line broken-link -- later -->\n[x](x.md)\n", [], id="next line"),
        pytest.param(
            "<!-- skillcheck-disable-next-line broken-link -- later -->\n\n[x](x.md)\n", [], id="blank between"
        ),
        pytest.param("[x](x.md) <!-- skillcheck-disable-line broken-link -- later -->\n", [], id="same line"),
        pytest.param(
            "<!-- skillcheck-disable-next-line broken-link -- later -->\n[x](x.md)\n\n[y](y.md)\n",
            [(9, "broken-link")],
            id="one line only",
        ),
        pytest.param(
            "<!-- skillcheck-disable-next-line broken-link, broken-anchor -- later -->\n[x](x.md) [y](#y)\n",
            [],
            id="two rules",
        ),
        pytest.param("```html\n<!-- skillcheck-disable-file nothing -->\n```\n", [], id="code is no comment"),
        pytest.param("<!-- skillcheck is what we use -->\n\nSort.\n", [], id="other comments"),
    ],
)
def test_comment_reaches_its_line(tmp_path, body, left):
    assert [(line, rule) for line, _, _, rule, _ in lint(tmp_path, body=body)] == left


@pytest.mark.parametrize(
    ("comment", "found"),
    [
        pytest.param(
            "<!-- skillcheck-disable-file broken-link -- why -->",
            (6, 30, "warning", "unused-suppression", "nothing here breaks 'broken-link'"),
            id="unused",
        ),
        pytest.param(
            "<!-- skillcheck-disable-file broken-lnk -- why -->",
            (6, 30, "warning", "unused-suppression", "'broken-lnk' is no rule; did you mean 'broken-link'"),
            id="mistyped rule",
        ),
        pytest.param(
            "<!-- skillcheck-disable-file links -- why -->",
            (6, 30, "warning", "unused-suppression", "'links' is no rule"),
            id="family",
        ),
        pytest.param(
            "<!-- skillcheck-disable broken-link -- why -->",
            (6, 1, "warning", "unused-suppression", "'skillcheck-disable' suppresses nothing; did you mean "),
            id="no such form",
        ),
        pytest.param(
            "<!-- skillcheck-disable-file -->",
            (6, 1, "warning", "unused-suppression", "the comment names no rule"),
            id="no rule",
        ),
        pytest.param(
            "<!-- skillcheck-disable-file broken-link because -->",
            (6, 1, "warning", "unused-suppression", "the comment can't be understood; write rules"),
            id="reason without dashes",
        ),
        pytest.param(
            "<!-- Skillcheck-Disable-File broken-link -- why -->",
            (6, 1, "warning", "unused-suppression", "'Skillcheck-Disable-File' suppresses nothing; did you mean "),
            id="upper case",
        ),
        pytest.param(
            "<!-- skillcheck: disable=broken-link -->",
            (6, 1, "warning", "unused-suppression", "'skillcheck:' suppresses nothing; "),
            id="another tool's form",
        ),
    ],
)
def test_useless_comment_is_one_finding(tmp_path, comment, found):
    (left,) = lint(tmp_path, body=comment + "\n\nSort.\n")
    assert left[:4] == found[:4]
    assert left[4].startswith(found[4])


def test_comment_without_a_reason_is_a_finding_and_suppresses(tmp_path):
    (left,) = lint(tmp_path, "b", f" # skillcheck-disable-line {RENAMED}")
    assert left == (2, 9, "warning", "unexplained-suppression", "a suppression without a reason")


def test_finding_on_a_comment_can_be_suppressed(tmp_path):
    body = "<!-- skillcheck-disable-file unexplained-suppression -- old files -->\n\nSort.\n"
    assert lint(tmp_path, "b", f" # skillcheck-disable-line {RENAMED}", body) == []
    (left,) = lint(tmp_path, "a", "", body)
    assert left[:4] == (6, 30, "warning", "unused-suppression")


def test_settings_ignore_findings_on_comments_too(tmp_path):
    settings = '[per-file-ignores]\n"skills/a/**" = ["suppression", "name-directory-mismatch"]\n'
    assert lint(tmp_path, "b", " # skillcheck-disable-line nothing", settings=settings) == []


@pytest.mark.parametrize("settings", ['ignore = ["links"]', '[rules]\nbroken-link = "off"'], ids=["ignored", "off"])
def test_comment_for_a_rule_that_did_not_run_is_left_alone(tmp_path, settings):
    body = "<!-- skillcheck-disable-file broken-link -- why -->\n\nSort.\n"
    assert lint(tmp_path, body=body, settings=settings) == []


def test_comment_for_the_catalog_is_left_alone_when_one_skill_is_named(tmp_path):
    settings = "[rules.listing-budget]\nmax-characters = 10\n"
    body = "<!-- skillcheck-disable-file listing-budget -- we know -->\n\nSort.\n"
    assert lint(tmp_path, body=body, settings=settings) == []
    assert lint(tmp_path, body=body, settings=settings, paths=["skills/a"]) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("Sort.\n\n{}\nMore.\n", "Sort.\n\nMore.\n", id="own line"),
        pytest.param("Sort. {}\n", "Sort.\n", id="end of a line"),
        pytest.param("Sort {} them.\n", "Sort  them.\n", id="middle of a line"),
        pytest.param("Sort.\n\n{}", "Sort.\n\n", id="end of the file"),
    ],
)
def test_unused_comment_is_taken_out(tmp_path, before, after):
    comment = "<!-- skillcheck-disable-file broken-link -- why -->"
    lint(tmp_path, body=before.format(comment))
    report, _ = api.fix(api.load((), api.configure(base=tmp_path), tmp_path))
    assert report.diagnostics == ()
    text = (tmp_path / "skills/a/SKILL.md").read_text("utf-8")
    assert text == HEAD.format(name="a", comment="") + after


def test_comment_that_is_of_some_use_stays(tmp_path):
    body = "<!-- skillcheck-disable-file broken-link, broken-anchor -- why -->\n\n[x](x.md)\n"
    (left,) = lint(tmp_path, body=body)
    assert left[:2] == (6, 43)
    assert api.fix(api.load((), api.configure(base=tmp_path), tmp_path))[1] == ()


@pytest.mark.parametrize(
    "quoted", ['"x # skillcheck-disable-file unknown-field -- no"', "|\n  # skillcheck-disable-file unknown-field"]
)
def test_a_hash_inside_a_value_begins_no_comment(tmp_path, quoted):
    assert [entry[3] for entry in lint(tmp_path, comment=f"\nfoo-bar: {quoted}")] == ["unknown-field"]
