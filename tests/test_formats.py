import html
import json
import re

import pyromark
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from skillcheck import schemas
from skillcheck.diagnostic import Diagnostic, Edit, Fix, Related, Severity
from skillcheck.errors import UsageError
from skillcheck.formats import named, printable
from skillcheck.report import Report, Table
from skillcheck.span import BYTE_ORDER_MARK, Span

FIX = Fix("replace it", (Edit(Span(2, 7, 2, 9), "x"),))
REPORT = Report.of(
    [
        Diagnostic(
            "skills/a/SKILL.md", Span(2, 7, 2, 9), "name-format", Severity.ERROR, "name 'A b' has a blank",
            "use hyphens", FIX, (Related("skills/b/SKILL.md", Span(3, 1, 3, 2), "as here"),),
        ),
        Diagnostic("skills/a/SKILL.md", Span(5, 1, 7, 1), "empty-section", Severity.INFO, "100 % empty"),
        Diagnostic("skills/é,b:c/SKILL.md", BYTE_ORDER_MARK, "byte-order-mark", Severity.WARNING, "two\nlines"),
    ],
    metrics={"skills": 2},
    records={"collisions": ({"a": "a", "b": "b", "similarity": 0.5, "shared": ["x"], "accepted": False},)},
    tables=(Table("Skills", ("skill", "rank-1"), (("a", "1/2"), ("longer", "10/20"))),),
    summary=("rank-1: 1 of 2",),
)  # fmt: skip
NASTY = "a\x1b[31mb\x07\x9b2J\u202ec\x00\r\n\udcff"


def test_text_is_for_people():
    assert named("text").render(REPORT) == (
        "skills/a/SKILL.md:2:7: error: name 'A b' has a blank [name-format]\n"
        "    use hyphens\n"
        "    skills/b/SKILL.md:3:1: as here\n"
        "skills/a/SKILL.md:5:1: info: 100 % empty [empty-section]\n"
        "skills/é,b:c/SKILL.md:1:0: warning: two\\nlines [byte-order-mark]\n"
        "\n"
        "Skills\n"
        "  skill   rank-1\n"
        "  a       1/2\n"
        "  longer  10/20\n"
        "\n"
        "rank-1: 1 of 2\n"
        "2 skills checked: 1 error, 1 warning, 1 info (1 fixable with `skillcheck lint --fix`)\n"
    )


def test_text_in_colour_paints_the_severities():
    text = named("text").render(REPORT, colour=True)
    assert "SKILL.md:2:7: \x1b[31merror\x1b[0m: name" in text
    assert text.count("\x1b[") == 6


def test_text_of_nothing_is_one_line():
    assert named("text").render(Report.of([], metrics={"skills": 1})) == "1 skill checked: no findings\n"
    assert named("text").render(Report()) == "no findings\n"


def test_markdown_has_findings_tables_and_a_summary():
    assert named("markdown").render(REPORT) == (
        "## Findings\n"
        "\n"
        "- skills/a/SKILL.md:2:7: **error** name 'A b' has a blank (name-format)  \n"
        "  use hyphens  \n"
        "  skills/b/SKILL.md:3:1: as here\n"
        "- skills/a/SKILL.md:5:1: **info** 100 % empty (empty-section)\n"
        "- skills/é,b:c/SKILL.md:1:0: **warning** two lines (byte-order-mark)\n"
        "\n"
        "## Skills\n"
        "\n"
        "| skill | rank-1 |\n"
        "| --- | --- |\n"
        "| a | 1/2 |\n"
        "| longer | 10/20 |\n"
        "\n"
        "## Summary\n"
        "\n"
        "- rank-1: 1 of 2\n"
    )
    assert named("markdown").render(Report()) == "No findings.\n"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a|b\nc", "a\\|b c"),
        ("<img src=x> [a](b) *c* `d`", "\\<img src=x\\> [a\\](b) \\*c\\* \\`d\\`"),
        ("_all_ of snake_case and __init__", "\\_all\\_ of snake_case and \\_\\_init\\_\\_"),
        ("# a #1", "\\# a #&#8203;1"),
        ("[a]: b [c][d]", "\\[a\\]: b [c\\][d]"),
        ("1. - a", "1\\. - a"),
        ("- [ ] a", "\\- [ ] a"),
        ("@all, a@b.c, GH-7", "@&#8203;all, a@&#8203;b.c, GH-&#8203;7"),
        ("http://a.b www.a.b", "http:\\//a.b www\\.a.b"),
        ("$x$ &#64;all", "\\$x\\$ \\&#&#8203;64;all"),
        ("\x1b[31m", "\\\\x1b[31m"),
    ],
)
def test_markdown_takes_no_text_for_markup(text, written):
    assert f"| {written} |" in named("markdown").render(Report(tables=(Table("t", ("c",), ((text,),)),)))


def spoken(text):
    """A report that says a text wherever it can."""
    found = Diagnostic(text, Span(), text, Severity.ERROR, text, text, None, (Related(text, Span(), text),))
    return Report.of([found], tables=(Table(text, (text, "b"), ((text, "c"),)),), summary=(text, f"  {text}"))


def drawn(report):
    """The tags of a report's Markdown on a page, and how its texts read."""
    options = pyromark.Options.ENABLE_GFM | pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_STRIKETHROUGH
    more = pyromark.Options.ENABLE_TASKLISTS | pyromark.Options.ENABLE_FOOTNOTES | pyromark.Options.ENABLE_MATH
    page = pyromark.html(named("markdown").render(report), options=options | more)
    tags = re.compile("<[^>]*>")
    return tags.findall(page), " ".join(html.unescape(tags.sub(" ", page)).replace("\u200b", "").split())


@given(st.text(st.sampled_from('ab1_*`~<>[]()!|\\#@&;:/=-+.$^"\n '), min_size=1, max_size=12).filter(str.strip))
def test_no_text_breaks_out_of_its_place_in_markdown(text):
    tags, read = drawn(spoken(text))
    assert tags == drawn(spoken("x"))[0]
    assert tags.count("<td>") == 2
    assert read.count(" ".join(text.split())) >= 10


def test_github_gets_workflow_commands():
    lines = named("github").render(REPORT).splitlines()
    assert [line.split("::")[1:] for line in lines[:3]] == [
        [
            "error file=skills/a/SKILL.md,line=2,endLine=2,col=7,title=name-format,endColumn=9",
            "name 'A b' has a blank%0Ause hyphens",
        ],
        ["notice file=skills/a/SKILL.md,line=5,endLine=7,col=1,title=empty-section", "100 %25 empty"],
        [
            "warning file=skills/é%2Cb%3Ac/SKILL.md,line=1,endLine=1,col=1,title=byte-order-mark,endColumn=1",
            "two\\nlines",
        ],
    ]
    assert lines[-1].startswith("2 skills checked: 1 error")


def test_json_fits_its_schema_and_holds_everything():
    data = json.loads(named("json").render(REPORT))
    Draft202012Validator(schemas.schema("report")).validate(data)
    assert data["summary"] == {"error": 1, "warning": 1, "info": 1}
    assert data["metrics"] == {"skills": 2}
    assert data["collisions"] == [{"a": "a", "b": "b", "similarity": 0.5, "shared": ["x"], "accepted": False}]
    place = {"line": 2, "column": 7, "end_line": 2, "end_column": 9}
    assert data["diagnostics"][0] == {
        "path": "skills/a/SKILL.md",
        **place,
        "rule": "name-format",
        "severity": "error",
        "message": "name 'A b' has a blank",
        "help": "use hyphens",
        "fix": {"title": "replace it", "safe": True, "edits": [{**place, "text": "x"}]},
        "related": [
            {"path": "skills/b/SKILL.md", "line": 3, "column": 1, "end_line": 3, "end_column": 2, "message": "as here"}
        ],
    }
    assert data["diagnostics"][1]["fix"] is None


def test_json_keeps_what_is_not_ascii():
    assert "skills/é,b:c" in named("json").render(REPORT)


@pytest.mark.parametrize("name", ["text", "github", "json", "markdown"])
def test_nothing_drives_the_terminal(name):
    related = (Related(NASTY, Span(), NASTY),)
    report = Report.of(
        [Diagnostic(NASTY, Span(), "rule", Severity.ERROR, NASTY, NASTY, None, related)],
        records={"prompts": ({"prompt": NASTY},)},
        tables=(Table(NASTY, (NASTY,), ((NASTY,),)),),
        summary=(NASTY,),
    )
    text = named(name).render(report)
    assert not {"\x1b", "\x07", "\x9b", "\x00", "\r", "\udcff"} & set(text)
    text.encode("utf-8")


def test_json_gives_back_what_it_escapes():
    report = Report.of([Diagnostic("a", Span(), "rule", Severity.ERROR, NASTY)])
    assert json.loads(named("json").render(report))["diagnostics"][0]["message"] == NASTY


def test_printable_leaves_words_alone():
    assert printable("é 😀 日本") == "é 😀 日本"
    assert printable("a\x1bb\u2028\udcff") == "a\\x1bb\\u2028\\udcff"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("jsn", "unknown format 'jsn'; did you mean 'json'"),
        ("yaml", "unknown format 'yaml': choose from "),
        ("", "unknown format '': choose from "),
    ],
    ids=["near miss", "unknown", "empty"],
)
def test_an_unknown_format_is_told(name, message):
    with pytest.raises(UsageError) as error:
        named(name)
    assert str(error.value).startswith(message)


def test_no_numbers_that_are_no_json_are_printed():
    with pytest.raises(ValueError, match="JSON compliant"):
        named("json").render(Report(metrics={"x": float("nan")}))
