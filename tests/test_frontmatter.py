import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillcheck.catalog.frontmatter import in_quotes, scalar, split
from skillcheck.located.yaml import parse
from skillcheck.span import Lines, Span

TEXTS = st.lists(
    st.sampled_from([
        "---", "----", "--", " ---", "--- ", "---\t", "—", "name: a", "name:\tb", "a: b: c", "- x", "<!-- x -->",
        "<!--", "\n", "\r\n", "\r", "\u2028", "\x0c", "\x00", "é", "#", "```", "&x", "*x", "'", '"', "[", "{", " ",
        "\t",
    ]),
    max_size=14,
).map("".join)  # fmt: skip


def faults(text, **options):
    found = split(Lines.of(text), **options).faults
    return [(fault.rule, *fault.problem.span[:2], fault.problem.message) for fault in found]


@pytest.mark.parametrize(
    ("text", "data", "body"),
    [
        ("---\na: b\n---\nbody\n", {"a": "b"}, "body\n"),
        ("---\r\na: b\r\n---\r\nbody", {"a": "b"}, "body"),
        ("---\ra: b\r---\rbody", {"a": "b"}, "body"),
        ("--- \t\na: b\n---  \nbody", {"a": "b"}, "body"),
        ("---\na: b\n---", {"a": "b"}, ""),
        ("---\na: b\n---\n", {"a": "b"}, ""),
        ("---\na: b --- c\n---\nbody\n---\nmore", {"a": "b --- c"}, "body\n---\nmore"),
        ("---\na: |\n  x\n  ---\n  y\n---\nbody", {"a": "x\n---\ny\n"}, "body"),
        ("---\na: >-\n  x\n  y\n---\n", {"a": "x y"}, ""),
        ("---\na: 'it''s'\n---\n", {"a": "it's"}, ""),
        ("---\na: b # c\n---\n", {"a": "b"}, ""),
    ],
    ids=[
        "plain", "both line ends", "carriage returns", "blanks behind the dashes", "ends with the fence", "no body",
        "dashes in a value and in the body", "dashes in a block", "folded", "quotes", "comment",
    ],
)  # fmt: skip
def test_frontmatter_and_body_are_taken_apart(text, data, body):
    found = split(Lines.of(text))
    assert (found.frontmatter.data, text[found.body :], found.faults) == (data, body, ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [("missing-frontmatter", 1, 1, "no frontmatter: the first line must be ---")]),
        ("# x\n", [("missing-frontmatter", 1, 1, "no frontmatter: the first line must be ---")]),
        ("----\na: b\n", [
            ("missing-frontmatter", 1, 1, "no frontmatter: the first line must be ---, '----' is not it")
        ]),
        ("---\na: b\n", [("missing-frontmatter", 1, 1, "frontmatter is not closed: no later line is only ---")]),
        ("---", [("missing-frontmatter", 1, 1, "frontmatter is not closed: no later line is only ---")]),
        ("\n\n---\na: b\n---\n", [("content-before-frontmatter", 1, 1, "blank lines stand before the frontmatter")]),
        ("<!-- x\n-->\n---\na: b\n---\n", [
            ("content-before-frontmatter", 1, 1, "a comment stands before the frontmatter")
        ]),
        ("---\n---\n", [("invalid-yaml", 2, 1, "frontmatter is empty, not a mapping")]),
        ("---\n- a\n---\n", [("invalid-yaml", 2, 1, "frontmatter is a list, not a mapping")]),
        ("---\nx: 1\na: b: c\n---\n", [
            ("unquoted-colon", 3, 5, "': ' in an unquoted value begins a nested mapping; the value must be quoted")
        ]),
        ("---\na: 1\nb: 2\na: 3\n---\n", [("duplicate-key", 4, 1, "key 'a' stands twice: line 2 has it already")]),
        ("---\na:\tb\n---\n", [("tab-after-colon", 2, 3, "a tab stands after the colon")]),
        ("---\na: x\u2028b: \x07\n---\n", [
            ("invalid-yaml", 2, 9, "frontmatter is not YAML: character U+0007 is not allowed in YAML")
        ]),
    ],
    ids=[
        "nothing", "no frontmatter", "too many dashes", "not closed", "only the fence", "blank lines", "comment",
        "empty", "list", "colon", "key twice", "tab", "control character",
    ],
)  # fmt: skip
def test_faults_have_places(text, expected):
    assert faults(text) == expected


@pytest.mark.parametrize("opening", ["[", "{a: ", "- "], ids=["lists", "mappings", "items"])
def test_values_that_are_nested_too_deep_are_told(opening):
    (found,) = faults("---\na: " + opening * 10_000 + "\n---\n")
    assert found[:2] == ("invalid-yaml", 2)
    assert "levels deep" in found[3] or opening == "- "


def test_a_byte_order_mark_is_a_fault_and_moves_nothing():
    assert faults("---\na: 1\na: 2\n---\n", bom=True) == [
        ("byte-order-mark", 1, 1, "the file begins with a byte-order mark"),
        ("duplicate-key", 3, 1, "key 'a' stands twice: line 2 has it already"),
    ]


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("---\nx: 'y\u2028z'\na: bc\n---\n", Span(3, 4, 3, 6)),
        ("---\nx: y\u0085a: bc\n---\n", Span(2, 9, 2, 11)),
        ("---\rx: 1\ra: bc\r---\r", Span(3, 4, 3, 6)),
        ("\n\n---\na: bc\n---\n", Span(4, 4, 4, 6)),
    ],
    ids=["line separator", "next line", "carriage returns", "blank lines before"],
)
def test_values_keep_their_places(text, span):
    assert split(Lines.of(text)).frontmatter.value_span("a") == span


def test_absent_values_stand_at_the_mapping():
    found = split(Lines.of("---\na: 1\n---\n")).frontmatter
    assert found.value_span("none").line == 2
    assert (found.kind("none"), found.kind("a"), found.source("a")) == ("empty", "an integer", "1")


def test_a_long_line_that_is_no_fence_is_not_quoted_whole():
    for text in ("---" + "x" * 100_000, "---\na: b\n---" + "x" * 100_000):
        problem = split(Lines.of(text)).faults[0].problem
        assert len(problem.message + problem.help) < 300


@settings(max_examples=300)
@given(TEXTS)
def test_any_text_can_be_taken_apart(text):
    found = split(Lines.of(text))
    assert 0 <= found.body <= len(text)
    assert found.frontmatter or found.faults
    for fault in found.faults:
        lines = Lines.of(text)
        span = fault.problem.span
        assert 1 <= span.line <= len(lines.starts)
        assert (span.line, span.column) <= (span.end_line, span.end_column)


@settings(max_examples=200)
@given(TEXTS, st.sampled_from(["\n", "\r\n", "\r"]))
def test_no_body_is_lost(body, end):
    front = f"---{end}name: a{end}---{end}"
    found = split(Lines.of(front + body))
    first = "\n" if end == "\r" and body.startswith("\n") else ""  # the fence then ends with both
    assert (found.frontmatter.data, first + (front + body)[found.body :]) == ({"name": "a"}, body)


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\u2028\u2029\ufeff\ufffe\uffff")))
def test_quoted_strings_are_read_as_they_were(value):
    for text in (in_quotes(value), scalar(value)):
        assert parse(Lines.of(text), 0, len(text)).value == value
