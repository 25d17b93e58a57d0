import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillcheck.span import START, Lines, Span

TEXTS = st.text(st.sampled_from("ab \n\r\u2028\u0085\x0c\x0bé😀"), max_size=30)


@pytest.mark.parametrize(
    ("text", "offset", "position"),
    [
        ("", 0, (1, 1)),
        ("ab", 2, (1, 3)),
        ("a\nb", 2, (2, 1)),
        ("a\r\nb", 3, (2, 1)),
        ("a\r\nb", 2, (1, 3)),
        ("a\rb", 2, (2, 1)),
        ("a\n\rb", 3, (3, 1)),
        ("a\n", 2, (2, 1)),
        ("a\u2028b\u0085c\x0cd", 6, (1, 7)),
        ("😀é", 1, (1, 2)),
    ],
    ids=[
        "empty", "end of a line", "line feed", "both", "between both", "carriage return", "feed and return",
        "after all", "other separators", "code points",
    ],
)  # fmt: skip
def test_position_counts_lines_and_code_points_from_one(text, offset, position):
    assert Lines.of(text).position(offset) == position


@given(TEXTS)
def test_offset_is_the_inverse_of_position(text):
    lines = Lines.of(text)
    assert [lines.offset(*lines.position(at)) for at in range(len(text) + 1)] == list(range(len(text) + 1))


@given(TEXTS)
def test_lines_are_what_stands_between_the_breaks(text):
    lines = Lines.of(text)
    assert [lines.line(n) for n in range(1, len(lines.starts) + 1)] == re.split(r"\r\n|\n|\r", text)


def test_span_ends_before_its_end():
    lines = Lines.of("ab\ncd")
    assert lines.span(1, 4) == Span(1, 2, 2, 2)
    assert lines.span(0, 0) == START
    assert lines.offsets(Span(1, 2, 2, 2)) == (1, 4)


def test_spans_are_ordered_by_place():
    spans = [Span(2, 1, 2, 2), Span(1, 9, 3, 1), Span(1, 9, 1, 10), Span(1, 1, 9, 9)]
    assert sorted(spans) == [spans[3], spans[2], spans[1], spans[0]]


def test_lines_are_compared_without_being_shown():
    assert "secret" not in repr(Lines.of("secret"))
