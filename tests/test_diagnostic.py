import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillcheck.diagnostic import Diagnostic, Edit, Severity, apply, relative
from skillcheck.span import BOM, BYTE_ORDER_MARK, Lines, Span

PIECES = st.lists(st.tuples(*[st.text(st.sampled_from("ab\n\ré😀"), max_size=4)] * 3), max_size=6)


def test_severities_are_ordered_and_have_words():
    assert Severity.OFF < Severity.INFO < Severity.WARNING < Severity.ERROR
    assert [severity.label for severity in Severity] == ["off", "info", "warning", "error"]


@pytest.mark.parametrize(
    ("text", "edits", "result"),
    [
        ("abc", [], "abc"),
        ("abc", [Edit(Span(1, 2, 1, 3), "X")], "aXc"),
        ("abc", [Edit(Span(1, 2, 1, 2), "X")], "aXbc"),
        ("abc", [Edit(Span(1, 2, 1, 3), "")], "ac"),
        ("a\nb\nc", [Edit(Span(1, 2, 3, 1), "")], "ac"),
        ("a\r\nb", [Edit(Span(2, 1, 2, 2), "X")], "a\r\nX"),
        ("a\rb", [Edit(Span(2, 1, 2, 2), "X")], "a\rX"),
        ("abc", [Edit(Span(1, 4, 1, 4), "X")], "abcX"),
        ("abc", [Edit(Span(1, 3, 1, 4), "Z"), Edit(Span(1, 1, 1, 2), "X")], "XbZ"),
        ("abc", [Edit(Span(1, 1, 1, 2), "X"), Edit(Span(1, 2, 1, 3), "Y")], "XYc"),
        ("abc", [Edit(Span(1, 2, 1, 2), "X"), Edit(Span(1, 2, 1, 2), "Y")], "aXYbc"),
        (BOM + "abc", [Edit(Span(1, 1, 1, 2), "X")], BOM + "Xbc"),
        (BOM + "abc", [Edit(BYTE_ORDER_MARK, "")], "abc"),
        (BOM + "abc", [Edit(BYTE_ORDER_MARK, ""), Edit(Span(1, 1, 1, 2), "X")], "Xbc"),
        ("😀b", [Edit(Span(1, 2, 1, 3), "X")], "😀X"),
    ],
    ids=[
        "nothing", "replace", "insert", "delete", "across lines", "after both breaks", "after a carriage return",
        "at the end", "two, last first", "two that touch", "two at one place", "behind a byte-order mark",
        "the byte-order mark", "the byte-order mark and more", "code points",
    ],
)  # fmt: skip
def test_edits_are_applied(text, edits, result):
    assert apply(text, edits) == result


@given(PIECES)
def test_edits_replace_their_pieces_and_nothing_else(pieces):
    """Pieces are (kept, old, new); a break of two characters may come to stand across two pieces."""
    text, edits = "", []
    spots = []
    for kept, old, _ in pieces:
        spots.append((len(text) + len(kept), len(text) + len(kept) + len(old)))
        text += kept + old
    lines = Lines.of(text)
    edits = [Edit(lines.span(*spot), new) for spot, (_, _, new) in zip(spots, pieces, strict=True)]
    assert apply(text, edits) == "".join(kept + new for kept, _, new in pieces)


def test_overlapping_edits_are_refused():
    with pytest.raises(ValueError, match="edits overlap at line 1"):
        apply("abc", [Edit(Span(1, 1, 1, 3), "X"), Edit(Span(1, 2, 1, 4), "Y")])


def test_diagnostics_are_ordered_by_path_place_rule_and_message():
    def diagnostic(path="a", line=1, rule="r", message="m"):
        return Diagnostic(path, Span(line, 1, line, 1), rule, Severity.ERROR, message)

    later = [diagnostic(message="n"), diagnostic(rule="s"), diagnostic(line=2), diagnostic(line=10), diagnostic("b")]
    assert sorted([*later[2:], diagnostic(), *later[:2]], key=lambda d: d.order) == [diagnostic(), *later]


def test_a_path_on_another_drive_is_shown_whole(monkeypatch):
    def refuse(path, folder):
        message = f"{path} is on another drive than {folder}"
        raise ValueError(message)

    assert relative("/a/b/c.md", "/a/d") == "../b/c.md"
    monkeypatch.setattr(os.path, "relpath", refuse)
    assert relative("/a/b/c.md", "/a/d") == "/a/b/c.md"
