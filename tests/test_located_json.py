import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillcheck.located import MAX_DEPTH, ParseError, text_of
from skillcheck.located.json import parse
from skillcheck.span import Lines, Span

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=8) | st.text('"\\/{}[],: \n', max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3) | st.just("a"), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip
FRAGMENTS = st.lists(
    st.sampled_from([
        "{", "}", "[", "]", ",", ":", '"', '"a"', '"\\ud800"', '"\\ud83d\\ude00"', "1", "-", "0", "1e5", "null", "true",
        "NaN", "Infinity", "-Infinity", " ", "\n", "\\", "é", "\x00", "/", "'",
    ]),
    max_size=8,
).map("".join)  # fmt: skip


def attempt(text):
    """What is read, or where reading ended."""
    try:
        return parse(Lines.of(text))
    except ParseError as error:
        return error.offset


@settings(max_examples=200)
@given(VALUES, st.sampled_from([None, 0, 2, "\t"]), st.booleans())
def test_values_are_those_of_json_and_spans_hold_their_text(value, indent, ascii_only):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    lines = Lines.of(text)
    found = parse(lines)
    assert found.value == value
    for path, span in found.spans.items():
        inner = value
        for key in path:
            inner = inner[key]
        assert json.loads(text_of(lines, span)) == inner
    for path, span in found.keys.items():
        assert json.loads(text_of(lines, span)) == path[-1]
    assert len(found.spans) > len(found.keys)


@settings(max_examples=400)
@given(FRAGMENTS)
def test_what_is_read_is_what_json_reads_and_nothing_else_raises(text):
    found = attempt(text)
    if isinstance(found, int):
        assert 0 <= found <= len(text)
        return
    assert found.value == json.loads(text)
    assert () in found.spans


@pytest.mark.parametrize(
    ("text", "path", "key", "value"),
    [
        ('{"a": [1, "b"]}', ("a", 1), Span(1, 11, 1, 14), Span(1, 11, 1, 14)),
        ('{\n  "a": {"b": null}\n}', ("a", "b"), Span(2, 9, 2, 12), Span(2, 14, 2, 18)),
        ('{"é😀": 1}', ("é😀",), Span(1, 2, 1, 6), Span(1, 8, 1, 9)),
        ('{"a\\u0062": 1}', ("ab",), Span(1, 2, 1, 11), Span(1, 13, 1, 14)),
        (" 5", (), Span(1, 2, 1, 3), Span(1, 2, 1, 3)),
        ('{"a": 1}', ("none", 3), Span(1, 1, 1, 9), Span(1, 1, 1, 9)),
    ],
    ids=["list", "lines", "code points", "escape", "root", "absent"],
)
def test_keys_and_values_have_places(text, path, key, value):
    found = parse(Lines.of(text))
    assert (found.key_span(*path), found.span(*path)) == (key, value)


def test_the_last_of_two_keys_counts_and_both_are_told():
    found = parse(Lines.of('{"a": 1,\n "a": {"b": 1, "b": 2}}'))
    assert found.value == {"a": {"b": 2}}
    assert found.duplicates == (
        (("a",), Span(1, 2, 1, 5), Span(2, 2, 2, 5)),
        (("a", "b"), Span(2, 8, 2, 11), Span(2, 16, 2, 19)),
    )


@pytest.mark.parametrize(
    ("text", "offset", "message"),
    [
        ("", 0, "expecting value"),
        ("{", 1, "expecting property name enclosed in double quotes"),
        ("[1,]", 2, "a comma stands before the closing bracket"),
        ('{"a": 1, }', 7, "a comma stands before the closing bracket"),
        ("[1 2]", 3, "expecting ',' delimiter"),
        ("1 2", 2, "extra data"),
        ("{'a': 1}", 1, "expecting property name enclosed in double quotes"),
        ('"a\nb"', 2, "invalid control character"),
        ('"a', 0, "unterminated string"),
        ('"\\x"', 1, "invalid \\escape"),
        ("[NaN]", 1, "NaN is not JSON"),
        ("[1, NaNny]", 4, "NaN is not JSON"),
        ("[-Infinity]", 1, "-Infinity is not JSON"),
        ('["\\ud800"]', 2, "half of a surrogate pair is no character"),
        ("9" * 5000, 0, "a number has too many digits"),
        ("[" * (MAX_DEPTH + 2) + "]" * (MAX_DEPTH + 2), 0, f"values are nested more than {MAX_DEPTH} levels deep"),
        ("[" * 100_000, 0, f"values are nested more than {MAX_DEPTH} levels deep"),
        ('{"a":' * 100_000, 0, f"values are nested more than {MAX_DEPTH} levels deep"),
    ],
    ids=[
        "nothing", "open object", "trailing comma", "trailing comma in an object", "no comma", "two values",
        "single quotes", "line end in a string", "open string", "escape", "not a number", "letters after it",
        "infinity", "half a pair", "digits", "too deep", "100,000 lists", "100,000 objects",
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_told_with_its_place(text, offset, message):
    with pytest.raises(ParseError) as error:
        parse(Lines.of(text))
    assert (error.value.offset, error.value.message) == (offset, message)


def test_a_span_without_any_value_is_the_start():
    assert parse(Lines.of("3")).span("a") == Span(1, 1, 1, 2)
    assert math.isinf(parse(Lines.of("1e999")).value)
