import pytest

TOTAL = {"type": "object", "required": ["total"], "properties": {"total": {"type": "integer"}}}


@pytest.fixture
def valid(work, judge):
    def judged(data, **options):
        (work / "a.json").write_bytes(data)
        return judge({"type": "json-valid", "path": "a.json", **options})

    return judged


@pytest.mark.parametrize(
    ("data", "passed", "reason"),
    [
        (b'{"total": 3}', True, "'a.json' is JSON"),
        (b"\xef\xbb\xbfnull\n", True, "'a.json' is JSON"),
        (b"", False, "'a.json':1:1 is no JSON: expecting value"),
        (b'{"a":\n 1,}', False, "'a.json':2:3 is no JSON: a comma stands before the closing bracket"),
        (b"NaN", False, "'a.json':1:1 is no JSON: NaN is not JSON"),
        (b'{"a": "\xff"}', False, "'a.json' is no UTF-8: byte 8 is wrong"),
        (b"[" * 100_000, False, "'a.json':1:1 is no JSON: values are nested more than 64 levels deep"),
    ],
    ids=["object", "byte-order mark", "empty", "comma", "NaN", "Latin-1", "deep"],
)
def test_a_file_is_json_or_not(data, passed, reason, valid):
    assert valid(data) == (passed, reason)


@pytest.mark.parametrize(
    ("data", "passed", "reason"),
    [
        (b'{"total": 3}', True, "'a.json' fits the schema"),
        (b"{}", False, "'a.json' breaks the schema: \"total\" is a required property"),
        (b'{"total": "x"}', False, '\'a.json\' breaks the schema: total: "x" is not of type "integer"'),
        (b"[]", False, "'a.json' breaks the schema: [] is not of type \"object\""),
    ],
    ids=["fits", "lacks", "other type", "list"],
)
def test_a_file_fits_a_schema_or_not(data, passed, reason, valid):
    assert valid(data, schema=TOTAL) == (passed, reason)


def test_what_a_schema_refers_to_is_not_fetched(valid, tmp_path):
    (tmp_path / "s.json").write_text("{}", "utf-8")
    address = (tmp_path / "s.json").as_uri()
    passed, reason = valid(b"{}", schema={"$ref": address})
    assert passed is None
    assert reason.startswith("the schema can't be used: ")
    assert f"{address} is not part of it" in reason


def test_what_is_no_file_is_no_json(judge, odd):
    for path, reason in odd.items():
        assert judge({"type": "json-valid", "path": path}) == (False, reason)


def test_a_huge_file_is_refused(work, judge):
    with (work / "huge").open("wb") as file:
        file.truncate(1 << 30)
    passed, reason = judge({"type": "json-valid", "path": "huge"})
    assert passed is False
    assert reason.startswith("'huge' is too long; only the first")
