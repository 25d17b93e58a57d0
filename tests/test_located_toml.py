import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillcheck.located import ParseError, text_of
from skillcheck.located import toml as located_toml
from skillcheck.span import Lines

TEXT = """\
# a = 1
title = "a # b = ]" # c
[metadata] # d
tags = [
  "x", # ]
  'y',
]
"two words".b = { c = 1, d = [2] }
long = \"\"\"
[no] = "x\"\"\"
[[step]]
n = 1
[step.sub]
k = 2024-01-02 03:04:05
[[step]]
n = 2
"""


def read(text):
    lines = Lines.of(text)
    located = located_toml.parse(lines)
    return located, lambda *path: text_of(lines, located.span(*path))


def test_values_stand_where_they_are_written():
    located, source = read(TEXT)
    assert located.value == tomllib.loads(TEXT)
    assert source("title") == '"a # b = ]"'
    assert source("metadata", "tags").startswith('[\n  "x"')
    assert source("metadata", "tags").endswith("]")
    assert source("metadata", "two words", "b", "c") == "{ c = 1, d = [2] }"
    assert source("metadata", "long") == '"""\n[no] = "x"""'
    assert source("step", 0, "sub", "k") == "2024-01-02 03:04:05"
    assert source("step", 1, "n") == "2"
    assert source("step", 1) == "[[step]]"
    assert located.span("step", 1).line == 15


def test_keys_stand_where_they_are_written():
    lines = Lines.of(TEXT)
    located = located_toml.parse(lines)
    assert text_of(lines, located.key_span("metadata", "two words")) == '"two words"'
    assert located.key_span("metadata", "tags")[:2] == (4, 1)
    assert located.key_span("step", 0, "sub")[:2] == (13, 7)


@pytest.mark.parametrize(
    ("text", "offset", "says"),
    [
        ("a = 1\nb = \n", 10, "invalid value"),
        ("a = 1\na = 2\n", 11, "cannot overwrite a value"),
        ("a = [", 5, "invalid value"),
        ("a = " + "[" * 70 + "]" * 70, 68, "more than 64 levels"),
        ("a = " + "[" * 5000 + "]" * 5000, 0, "more than 64 levels"),
        (".".join("a" * 70) + " = 1", 0, "more than 64 levels"),
        ("a = " + "1" * 5000, 0, "too many digits"),
    ],
)
def test_what_is_no_toml_is_told_with_its_place(text, offset, says):
    with pytest.raises(ParseError) as caught:
        read(text)
    assert says in caught.value.message
    assert caught.value.offset == offset


NAMES = st.text(min_size=1, max_size=6)
VALUES = st.one_of(st.integers(-9, 9), st.booleans(), st.text(max_size=8))


def quoted(text):
    return '"' + "".join(f"\\U{ord(c):08X}" if c in '"\\' or not c.isprintable() else c for c in text) + '"'


@given(st.dictionaries(NAMES, st.dictionaries(NAMES, VALUES, max_size=4), max_size=4))
def test_every_value_is_found_at_its_place(tables):
    def written(value):
        return quoted(value) if isinstance(value, str) else str(value).lower()

    text = "".join(
        f"[{quoted(table)}]\n" + "".join(f"{quoted(key)} = {written(value)} # x\n" for key, value in keys.items())
        for table, keys in tables.items()
    )
    located, source = read(text)
    assert located.value == tables
    for table, keys in tables.items():
        assert source(table) == f"[{quoted(table)}]"
        assert {key: source(table, key) for key in keys} == {key: written(value) for key, value in keys.items()}
