import datetime as dt
import math

import pytest
import yaml as pyyaml
from hypothesis import given, settings
from hypothesis import strategies as st

from skillcheck.located import MAX_DEPTH, ParseError, text_of
from skillcheck.located.yaml import MAX_ALIASES, kind, parse
from skillcheck.span import Lines, Span

SCALARS = (
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
    | st.sampled_from(["yes", "1:30", "0o7", "08", "1e3", "2026-01-02", "2026-13-45", "~", "a: b", "a #b", "=", "<<"])
    | st.booleans()
    | st.none()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.dates()
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc:# -", max_size=4), inner, max_size=3),
    max_leaves=8,
)
FRAGMENTS = st.lists(
    st.sampled_from([
        "a", "b", "name", ": ", ":", "\n", "\n  ", "- ", "? ", "[", "]", "{", "}", ", ", '"', "'", "|", ">", "&x ",
        "*x", " #", "!!int ", "!!str ", "1", "0x", "_", ".", "2026-13-45", "yes", "~", "\\", "%", "@", "\t", "\r\n",
        "---", "é", "\u2028", "\u0085", "<<: ",
    ]),
    max_size=12,
).map("".join)  # fmt: skip


def read(text):
    return parse(Lines.of(text), 0, len(text))


def attempt(text):
    """What is read, or where reading ended."""
    try:
        return read(text)
    except ParseError as error:
        return error.offset


@pytest.mark.parametrize("style", [None, "'", '"'], ids=["plain", "single quotes", "double quotes"])
@pytest.mark.parametrize("flow", [False, True], ids=["block", "flow"])
@settings(max_examples=60)
@given(VALUES)
def test_values_are_those_of_pyyaml(flow, style, value):
    text = pyyaml.safe_dump(value, default_flow_style=flow, default_style=style, allow_unicode=True)
    assert read(text).value == pyyaml.safe_load(text)


@settings(max_examples=400)
@given(FRAGMENTS)
def test_what_is_read_is_what_pyyaml_reads_and_nothing_else_raises(text):
    found = attempt(text)
    if isinstance(found, int):
        assert 0 <= found <= len(text)
        return
    try:
        assert found.value == pyyaml.load(text, Loader=pyyaml.CSafeLoader)
    except ValueError:  # what looks like a date and is none
        assert "2026-13-45" in text or "_" in text
    except pyyaml.constructor.ConstructorError:  # what is merged must be a mapping
        assert "<<" in text


@settings(max_examples=100)
@given(VALUES)
def test_the_text_of_a_span_is_its_value(value):
    text = pyyaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=math.inf)
    lines = Lines.of(text)
    found = read(text)
    for path, span in found.spans.items():
        inner = found.value
        for key in path:
            inner = inner[key]
        assert pyyaml.safe_load(text_of(lines, span)) == inner
    for path, span in found.keys.items():
        assert pyyaml.safe_load(text_of(lines, span)) == path[-1]


@pytest.mark.parametrize(
    ("text", "path", "key", "value"),
    [
        ("a: b\n", ("a",), Span(1, 1, 1, 2), Span(1, 4, 1, 5)),
        ("a:\n  - b\n  - cd\n", ("a", 1), Span(3, 5, 3, 7), Span(3, 5, 3, 7)),
        ("a: 'b c'\n", ("a",), Span(1, 1, 1, 2), Span(1, 4, 1, 9)),
        ("x: 1\r\na: b\r\n", ("a",), Span(2, 1, 2, 2), Span(2, 4, 2, 5)),
        ("x: 1\ra: b\r", ("a",), Span(2, 1, 2, 2), Span(2, 4, 2, 5)),
        ("x: é😀\na: b", ("a",), Span(2, 1, 2, 2), Span(2, 4, 2, 5)),
        ("x: 'y\u2028\u2028z'\na: b", ("a",), Span(2, 1, 2, 2), Span(2, 4, 2, 5)),
        ("x: y\u0085a: b", ("a",), Span(1, 6, 1, 7), Span(1, 9, 1, 10)),
        ("m: {n: {o: 5}}", ("m", "n", "o"), Span(1, 9, 1, 10), Span(1, 12, 1, 13)),
        ("a: 1\n", ("none",), Span(1, 1, 2, 1), Span(1, 1, 2, 1)),
    ],
    ids=[
        "plain", "list", "quotes", "both line ends", "carriage return", "code points", "line separators",
        "next line as line end", "nested", "absent",
    ],
)  # fmt: skip
def test_keys_and_values_have_places(text, path, key, value):
    found = read(text)
    assert (found.key_span(*path), found.span(*path)) == (key, value)


def test_a_part_of_a_text_keeps_its_places():
    text = "---\na: b\n---\nbody"
    found = parse(Lines.of(text), 4, 9)
    assert (found.value, found.span("a")) == ({"a": "b"}, Span(2, 4, 2, 5))


def test_the_last_of_two_keys_counts_and_both_are_told():
    found = read("a: 1\nb: 2\na: 3\n")
    assert found.value == {"a": 3, "b": 2}
    assert found.duplicates == ((("a",), Span(1, 1, 1, 2), Span(3, 1, 3, 2)),)


def test_plain_scalars_are_told_from_quoted_ones():
    assert read("a: b\nc: 'd'\ne: |\n  f\n").plain == {("a",)}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: &x {b: 1}\nc: *x\n", {"a": {"b": 1}, "c": {"b": 1}}),
        ("&x a: 1\nb: *x\n", {"a": 1, "b": "a"}),
        ("a: &x b\n*x : 1\n", {"a": "b", "b": 1}),
        ("a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3\n", {"a": {"b": 1, "c": 2}, "d": {"b": 1, "c": 3}}),
        ("a: &x {b: 1}\nc: &y {b: 2}\nd: {<<: [*x, *y]}\n", {"a": {"b": 1}, "c": {"b": 2}, "d": {"b": 1}}),
        ("'<<': 1\n", {"<<": 1}),
        ("a: 2026-13-45\n", {"a": "2026-13-45"}),
        ("a: " + "9" * 5000, {"a": "9" * 5000}),
        ("a: !!str 3\n", {"a": "3"}),
        ("", None),
    ],
    ids=[
        "alias", "anchor on a key", "alias as a key", "merge", "merge of several", "quoted merge key", "no date",
        "too many digits", "tag", "nothing",
    ],
)  # fmt: skip
def test_rarer_forms_are_read(text, value):
    assert read(text).value == value


@pytest.mark.parametrize(
    ("text", "offset", "message"),
    [
        ("a: b: c", 4, "mapping values are not allowed in this context"),
        ("a: 1\n---\nb: 2\n", 5, "a second document begins"),
        ("a: !thing 3", 3, "unknown tag '!thing'"),
        ("a: !!set {x}", 3, "unknown tag 'tag:yaml.org,2002:set'"),
        ("!!seq {a: b}", 0, "unknown tag 'tag:yaml.org,2002:seq'"),
        ("a: !!int ''", 3, "the value doesn't fit its tag !!int"),
        ("a: !!bool maybe", 3, "the value doesn't fit its tag !!bool"),
        ("a: !!float ''", 3, "the value doesn't fit its tag !!float"),
        ("a: !!timestamp soon", 3, "the value doesn't fit its tag !!timestamp"),
        ("a: !!binary é", 3, "the value doesn't fit its tag !!binary"),
        ("a: =", 3, "'=' must be quoted"),
        ("? [a]\n: b", 2, "a key must be a single value, not a collection"),
        ("a: &x [1]\n*x : 2", 10, "a key must be a single value, not a collection"),
        ("a: *x", 3, "alias 'x' names no anchor before it"),
        ("a: &x [*x]", 7, "alias 'x' names no anchor before it"),
        ("a: \x07", 3, "character U+0007 is not allowed in YAML"),
        ("a: [" + "[" * MAX_DEPTH, 3 + MAX_DEPTH - 1, f"values are nested more than {MAX_DEPTH} levels deep"),
        ("a: &x 1\nb: [" + "*x," * (MAX_ALIASES + 1), 12 + 3 * MAX_ALIASES, f"more than {MAX_ALIASES} aliases"),
    ],
    ids=[
        "colon", "two documents", "unknown tag", "set", "wrong tag", "no integer", "no boolean", "no float", "no date",
        "no binary", "equals sign", "list as a key", "list as a key by alias", "no anchor", "a value in itself",
        "control character", "too deep", "too many aliases",
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_told_with_its_place(text, offset, message):
    with pytest.raises(ParseError) as error:
        read(text)
    assert (error.value.offset, error.value.message) == (offset, message)


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? "], ids=["lists", "mappings", "items", "keys"])
def test_ten_thousand_levels_are_refused(opening):
    with pytest.raises(ParseError):
        read(opening * 10_000)


@pytest.mark.parametrize(
    ("value", "plain", "words"),
    [
        (None, True, "empty"), (True, True, "a boolean"), (1, True, "an integer"), (1.5, True, "a float"),
        ("x", True, "a string"), ("1e3", True, "a float"), ("08", True, "an integer"), ("0o7", True, "an integer"),
        ("08", False, "a string"), ([], False, "a list"), ({}, False, "a mapping"), (b"", False, "binary data"),
        (dt.date(2026, 1, 2), True, "a date"), (dt.datetime(2026, 1, 2, tzinfo=dt.UTC), True, "a date"),
    ],
    ids=[
        "nothing", "boolean", "integer", "float", "string", "exponent", "leading zero", "octal", "quoted digits",
        "list", "mapping", "bytes", "date", "time",
    ],
)  # fmt: skip
def test_types_have_words(value, plain, words):
    assert kind(value, plain=plain) == words
